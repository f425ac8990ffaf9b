# SPDX-License-Identifier: MIT
"""What a report says of the time between events: periods, rates, shares of the time.

They are about covered time only. Across a time in which something was not recorded there is no period, and it is no part of a share.
"""
from collections import Counter, defaultdict

from middleware import EPOCH
from recorder import DEFINITIONS

POLLS = {"rclcpp_executor_get_next_ready", "rclcpp_executor_wait_for_work", "rclcpp_executor_execute"}
HOLLOW = {"pause", "late"}  # faults that lose all events of some times, and no others


class PeriodChecks:
    """Part of Check."""

    def check_periods(self):
        self.check_longest_periods()
        if self.find_hollows():
            self.check_callback_periods()
            if len(self.world.hosts) == 1:
                self.check_rates("communications", "communication_id", "communication_instances", "publish_ns")
                self.check_rates("paths", "path_id", "path_instances", "origin_start_ns")
                self.check_shares()

    def starts(self):
        """callback_id → the starts that the report lists, in order."""
        starts = defaultdict(list)
        for row in self.report.rows("callback_instances"):
            if row["start_ns"]:
                starts[row["callback_id"]].append(int(row["start_ns"]))
        return {key: sorted(times) for key, times in starts.items()}

    @staticmethod
    def callback_of(execution):
        """A subscription with intra-process communication has two."""
        return execution.entity, execution.start.values[0]

    def check_longest_periods(self):
        """Between the two starts of a callback's longest period there was no other one, recorded or not."""
        truth, all_starts = self.truth, defaultdict(list)
        for execution in truth.executions.values():
            all_starts[self.callback_of(execution)].append(truth.time(execution.start))
        for key, times in self.starts().items():
            row = self.callbacks[key]
            if not row["period_max_ns"] or row["kind"] == "inferred":
                continue
            owners = {self.callback_of(execution) for time in times for (place, _), execution in self.by_start.get(time, {}).items()
                      if place[:2] == (row["hostname"], int(row["vpid"]))}
            if len(owners) != 1:
                continue
            begin = int(row["period_max_at_ns"])
            end = begin + int(row["period_max_ns"])
            between = sum(begin < time < end for time in all_starts[owners.pop()])
            self.count["periods"] += 1
            if between:
                self.add("period", "has", between, "starts:", row["node"], row["source"], begin, end)

    # If all that was lost was lost in pauses, it is known which times are covered.

    def find_hollows(self):
        """(host, process) → times in which it was not recorded, and times in which one of the streams was not: where that goes on
        late, nobody may have known when a period ended. Returns whether they are known.
        """
        recorder, world = self.truth.recorder, self.world
        processes = Counter((host.name, process.vpid) for host in world.hosts for process in host.processes)
        if not recorder.faults.kinds <= HOLLOW or recorder.is_per_process and recorder.faults.pauses or max(processes.values()) > 1:
            return False
        self.runtime, self.hollows, self.pauses = defaultdict(list), {}, {}
        for event in sorted(world.events, key=lambda each: each.time):
            if event.is_seen and event.name not in DEFINITIONS | POLLS:
                self.runtime[event.thread.process].append(event.time)
        for host in world.hosts:
            streams = [[event.time for packet in stream.packets for event in packet[0]] for stream in recorder.streams[host]]
            for process in host.processes:
                found, certain = [], []
                for pause in recorder.faults.pauses:
                    of_streams = [self.around(times, pause) for times in streams if times and times[0] < pause[0]]
                    if of_streams:
                        begin, ends = max(last for last, _ in of_streams), [first for _, first in of_streams]
                        found.append((begin, max(ends)))
                        certain.append((begin, min(ends)))
                    times = self.runtime[process]
                    if times and times[0] < pause[0] and pause[1] <= times[-1]:
                        found.append(self.around(times, pause))
                        certain.append(self.around(times, pause))
                shift = EPOCH + host.offset
                self.hollows[host.name, process.vpid] = [(begin + shift, end + shift) for begin, end in found]
                self.pauses[host.name, process.vpid] = [(begin + shift, end + shift) for begin, end in certain]
        return True

    @staticmethod
    def around(times, pause):
        """The last time before a pause, and the first one behind it or its end."""
        return max(time for time in times if time < pause[0]), min((time for time in times if time >= pause[1]), default=pause[1])

    @staticmethod
    def periods(hollows, processes, times):
        """The periods between times that a report lists: those across a time in which something was not recorded are none."""
        hollows = [hollow for process in processes for hollow in hollows[process]]
        return [after - before for before, after in zip(times, times[1:])
                if not any(begin < after and before < end for begin, end in hollows)]

    def check_callback_periods(self):
        for key, times in self.starts().items():
            row = self.callbacks[key]
            if row["kind"] == "inferred":
                continue
            least, most = (self.periods(hollows, [(row["hostname"], int(row["vpid"]))], times) for hollows in (self.hollows, self.pauses))
            if not sum(least) <= int(row["period_sum_ns"] or "0") <= sum(most) or \
                    not max(least, default=0) <= int(row["period_max_ns"] or "0") <= max(most, default=0):
                self.add("period", "sums are", sum(least), "to", sum(most), "not", row)

    def check_rates(self, table, key, instances, moment):
        """A rate is that of the instances, but across pauses."""
        times = defaultdict(list)
        for row in self.report.rows(instances):
            if row.get("outcome", "received") == "received" and row[moment]:
                times[row[key]].append(int(row[moment]))
        for each, row in self.report.by_id(table, key).items():
            vpids = row["vpids"].split(" > ") if "vpids" in row else [row["publisher_vpid"], row["subscription_vpid"]]
            processes = [(self.world.hosts[0].name, int(vpid)) for vpid in vpids]
            found = [self.periods(hollows, processes, sorted(times[each])) for hollows in (self.hollows, self.pauses)]
            true = sorted(len(periods) * 1e9 / sum(periods) for periods in found if sum(periods))
            if not row["rate_hz"] or not true:
                continue
            self.count["rates"] += 1
            if not true[0] * 0.999 - 0.001 <= float(row["rate_hz"]) <= true[-1] * 1.001 + 0.001:
                self.add("rate", "is", true, "not", row["rate_hz"], {name: value for name, value in row.items() if not name.endswith("_ns")})

    @staticmethod
    def covered(hollows, begin, end):
        """How much of a time lies outside of hollows."""
        at, lost = begin, 0
        for first, last in sorted(hollows):
            lost += max(0, min(last, end) - max(first, at))
            at = max(at, last)
        return end - begin - lost

    def check_shares(self):
        """A share is that of the covered time."""
        host = self.world.hosts[0]
        times = [time + EPOCH + host.offset for each in self.runtime.values() for time in each]
        for row in self.report.rows("usage"):
            if not row["share_percent"] or not row["vpid"]:
                continue
            process = host.name, int(row["vpid"])
            most, least = (100 * int(row["self_ns"]) / self.covered(hollows[process], min(times), max(times))
                           for hollows in (self.hollows, self.pauses))
            self.count["shares"] += 1
            if not least * 0.98 - 0.001 <= float(row["share_percent"]) <= most * 1.02 + 0.001:
                self.add("share", "is", least, "to", most, "percent:", row)

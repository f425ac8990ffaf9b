# SPDX-License-Identifier: MIT
"""What a report says of the time between events: periods, rates, shares of the time.

They are about covered time only. Across a time in which something was not recorded there is no period, and it is no part of a share.
"""
from bisect import bisect
from collections import Counter, defaultdict

from middleware import EPOCH
from recorder import DEFINITIONS

POLLS = {"rclcpp_executor_get_next_ready", "rclcpp_executor_wait_for_work"}
LATER_STEPS = {"rcl_take", "rclcpp_take"}  # of a take: not always read
HOLLOW = {"pause", "late"}  # faults that lose all events of some times, and no others


class PeriodChecks:
    """Part of Check."""

    def check_periods(self):
        self.check_longest_periods()
        if self.knows_hollows():
            seen = sorted((self.truth.time(event), event.name, event.thread.process.vpid) for event in self.world.events if event.is_seen)
            self.all_times = [time for time, _, _ in seen]
            self.last_read = max((time for time, name, _ in seen if name not in DEFINITIONS | POLLS | LATER_STEPS), default=0)
            self.runtime = defaultdict(list)  # vpid → times
            for time, name, vpid in seen:
                if name not in DEFINITIONS | POLLS:
                    self.runtime[vpid].append(time)
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

    # If all that was lost was lost in pauses, it is known which times are covered: all but them.

    def knows_hollows(self):
        recorder, world = self.truth.recorder, self.world
        processes = Counter((host.name, process.vpid) for host in world.hosts for process in host.processes)
        return recorder.faults.kinds <= HOLLOW and not (recorder.is_per_process and recorder.faults.pauses) and max(processes.values()) == 1

    def hollows(self, hostname):
        shift = EPOCH + next(host.offset for host in self.world.hosts if host.name == hostname)
        return [(begin + shift, end + shift) for begin, end in self.truth.recorder.faults.pauses]

    @staticmethod
    def periods(hollows, times):
        """The periods between times that a report lists: those across a time in which nothing was recorded are none."""
        return [after - before for before, after in zip(times, times[1:])
                if not any(begin < after and before < end for begin, end in hollows)]

    def check_callback_periods(self):
        for key, times in self.starts().items():
            row = self.callbacks[key]
            if row["kind"] == "inferred":
                continue
            true = self.periods(self.hollows(row["hostname"]), times)
            if (sum(true), max(true, default=0)) != (int(row["period_sum_ns"] or "0"), int(row["period_max_ns"] or "0")):
                self.add("period", "sums are", sum(true), "the longest", max(true, default=0), "not", row)

    def check_rates(self, table, key, instances, moment):
        """A rate is that of the instances, but across pauses."""
        times = defaultdict(list)
        for row in self.report.rows(instances):
            if row.get("outcome", "received") == "received" and row[moment]:
                times[row[key]].append(int(row[moment]))
        for each, row in self.report.by_id(table, key).items():
            vpids = row["vpids"].split(" > ") if "vpids" in row else [row["publisher_vpid"], row["subscription_vpid"]]
            hollows = self.hollows(self.world.hosts[0].name)
            around = hollows + [self.around(int(vpid), hollow) for vpid in vpids for hollow in hollows]
            found = [periods for periods in (self.periods(those, sorted(times[each])) for those in (hollows, around)) if sum(periods)]
            if not row["rate_hz"] or not found:
                continue
            true = [len(periods) * 1e9 / sum(periods) for periods in found]
            self.count["rates"] += 1
            if not any(abs(float(row["rate_hz"]) - rate) <= 0.00001 * rate + 0.001 for rate in true):
                self.add("rate", "is", true, "not", row["rate_hz"], {name: value for name, value in row.items() if not name.endswith("_ns")})

    def around(self, vpid, hollow):
        """From the last event of a process before a pause to its first one behind it: LTTng stops and starts one process after the
        other, so a message of another one that it did not take meanwhile shows nothing."""
        times = self.runtime[vpid]
        before, behind = bisect(times, hollow[0]), bisect(times, hollow[1])
        return times[before - 1] if before else hollow[0], times[behind] if behind < len(times) else hollow[1]

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
        times = [time for each in self.runtime.values() for time in each]
        for row in self.report.rows("usage"):
            if not row["share_percent"] or not row["vpid"]:
                continue
            hollows = self.hollows(row["hostname"])
            most, least = (100 * int(row["self_ns"]) / self.covered(those, min(times), end)
                           for those, end in (([self.until_event(hollow) for hollow in hollows], self.last_read), (hollows, max(times))))
            self.count["shares"] += 1
            if not least * 0.9999 - 0.001 <= float(row["share_percent"]) <= most * 1.0001 + 0.001:
                self.add("share", "is", least, "to", most, "percent:", row)

    def until_event(self, hollow):
        """No event tells that LTTng was started until there is one."""
        place = bisect(self.all_times, hollow[1])
        return hollow[0], self.all_times[place] if place < len(self.all_times) else hollow[1]

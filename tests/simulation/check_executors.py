# SPDX-License-Identifier: MIT
"""What a report says of the time of threads that run executors: no more of it was spent in a state, and no spin was longer."""
from collections import Counter, defaultdict

FIND, WAIT, EXECUTE = "rclcpp_executor_get_next_ready", "rclcpp_executor_wait_for_work", "rclcpp_executor_execute"
STATES = {FIND: "ready", WAIT: "wait", EXECUTE: "execute", "callback_start": "execute", "callback_end": "gap"}
PAUSE = 1_000_000  # a wait with a timeout of 0 that is longer after a look for work ends a pause of the program


def times_of_states(events):
    """What a thread did from its first event to its last one, all of which are given."""
    times, state, last, last_name = Counter(), None, 0, None
    for event in events:
        spent = event.time - last
        if event.name == "callback_end":
            state = state and "execute"  # one that spun
        elif event.name == WAIT and event.values[0] == 0 and last_name == FIND and spent > PAUSE:
            state = "gap"
        elif STATES[event.name] == "execute" and state == "gap":
            state = "execute"
        times[state] += spent
        state, last, last_name = STATES[event.name], event.time, event.name
    return times


class ExecutorChecks:
    """Part of Check."""

    def check_executors(self):
        threads = defaultdict(lambda: defaultdict(list))  # place → thread → its events
        for event in self.world.events:
            if event.name in STATES:
                threads[self.truth.place(event.thread)][event.thread].append(event)
        for row in self.report.rows("executors"):
            found = threads[row["hostname"], int(row["vpid"]), int(row["vtid"])]
            if len(found) != 1 or not row["span_ns"]:
                continue  # ids that were used again, or no events of an executor
            events = sorted(next(iter(found.values())), key=lambda event: event.time)
            times = times_of_states(events)
            self.count["executors"] += 1
            for state in ("wait", "ready", "execute", "gap"):
                if int(row[f"{state}_ns"]) > times[state]:
                    self.add("executor", f"{state}_ns is at most", times[state], "not", row)
            if row["spin_max_ns"]:
                begin = int(row["spin_max_at_ns"])
                end = begin + int(row["spin_max_ns"])
                between = sum(event.name == WAIT and begin < self.truth.time(event) < end for event in events)
                if between:
                    self.add("executor", "has", between, "waits within its longest spin:", row)

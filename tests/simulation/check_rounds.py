# SPDX-License-Identifier: MIT
"""How many traversals there are: a flow goes on until no further callback follows, or until it comes back to one that it has
passed. There it ends, and the next one begins: so each round of a closed loop is a traversal.
"""
from bisect import bisect
from collections import Counter, defaultdict


class Flow:
    """What has come to an execution: the names on its way, and the callbacks that it has passed. It is unclear if an execution on its
    way has no end, since what such a one published may not be of it, or if it has passed a service."""

    def __init__(self, names, passed, is_over=False, is_unclear=False):
        self.names, self.passed, self.is_over, self.is_unclear = names, passed, is_over, is_unclear


class RoundChecks:
    """Part of Check."""

    def flows_of(self, execution, known):
        """The flows that an execution takes part in. `known`: those of the ones before, by execution."""
        source, place, callback = self.source(execution), execution.entity.node.full_name, self.callback_of(execution)
        is_open = not execution.end
        if not source:
            return [Flow([place], {callback}, is_unclear=is_open)]
        sender, parent = source
        is_call = not hasattr(sender, "topic")
        topic = sender.service if is_call else sender.topic
        if parent is None:
            is_unclear = is_call or is_open or self.follows_open_execution(execution.cause.publication)
            return [Flow([sender.node.full_name, topic, place], {callback}, is_unclear=is_unclear)]
        flows = [Flow(flow.names + [topic, place], flow.passed | {callback}, callback in flow.passed, flow.is_unclear or is_call or is_open)
                 for flow in known[parent] if not flow.is_over]
        if any(flow.is_over for flow in flows):
            flows.append(Flow([topic, place], {callback}, is_unclear=is_call or is_open or not parent.end))
        return flows

    def follows_open_execution(self, publication):
        """It was published outside of callbacks; if the last one of its thread has no end, nothing tells that it was not in that."""
        busy = self.truth.busy[publication.thread]
        before = bisect(busy, publication.events[0].time, key=lambda each: each.start.time) if publication.events else 0
        return any(not each.end for each in busy[:before])

    def count_flows(self):
        """→ (how many flows of each path there are, how many of messages only of which nothing got lost, whether there are rounds)"""
        truth, known, followed = self.truth, {}, set()
        senders = {call.parent for call in self.world.calls}
        executions = [each for each in self.world.executions if truth.happened(each.start)]
        for execution in executions:
            source = self.source(execution)
            if source and source[1] and not self.is_late(execution.cause):
                followed.add(source[1])
        for execution in sorted(executions, key=lambda each: each.start.time):
            known[execution] = self.flows_of(execution, known)
        count, certain = Counter(), Counter()
        for execution, flows in known.items():
            for flow in flows:
                if len(flow.names) > 2 and execution.end and (flow.is_over or execution not in followed):
                    count[" > ".join(flow.names)] += 1
                    is_last = not execution.published and execution not in senders
                    certain[" > ".join(flow.names)] += (flow.is_over or is_last) and not flow.is_unclear
        return count, certain, any(flow.is_over for flows in known.values() for flow in flows)

    def check_counts(self, paths):
        """Without losses there are as many traversals as flows that end; of rounds, neither more nor less."""
        true, certain, has_rounds = self.count_flows()
        found, begins, further = Counter(), defaultdict(set), []
        for row in paths.values():
            if "~>" in row["path"]:
                further.append((row["path"], int(row["count"])))  # they come from a callback that is inferred from a take
            else:
                found[row["path"]] += int(row["count"])
                begins[row["path"]].add(row["begins"])
        unknown = {"message", "service"} if self.world.era["requests"] else {"message"}  # without requests, a service is where a flow begins
        for name, count in found.items():
            self.count["paths"] += 1
            here = true[name]
            if begins[name] & unknown:  # the rest of flows of which nothing shows where they begin
                here = sum(number for path, number in true.items() if path == name or path.endswith(" > " + name))
            if count > here:
                self.add("path", "has", here, "traversals, not", count, name)
        if has_rounds:
            self.count["systems with rounds"] += 1
            for name, count in certain.items():
                here = found[name] + sum(more for path, more in further if path.endswith("~> " + name))
                if count > here:
                    self.add("round", "path has at least", count, "traversals, not", here, name)

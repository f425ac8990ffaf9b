# SPDX-License-Identifier: MIT
"""The part of Trace Compass' state system that its ROS 2 analyses rely on: attributes whose values change over time.

Times are integers (ns since the Unix epoch), an interval has both its ends. None is "no value".
"""

import bisect


class Attribute:
    """The values of one attribute. Setting the value it has already changes nothing; an attribute cannot be changed
    before its last change: the last value is replaced then, from where it began."""

    def __init__(self, begin):
        self.begin = begin
        self.value = None
        self.past = []

    def set(self, time, value):
        if value == self.value:
            return
        if self.begin < time:
            self.past.append((self.begin, time - 1, self.value))
            self.begin = time
        self.value = value

    def at(self, time):
        if time >= self.begin:
            return self.value
        index = bisect.bisect_right(self.past, time, key=lambda interval: interval[0]) - 1
        return self.past[index][2] if index >= 0 else None

    def intervals(self, end):
        """All intervals; the present value holds until `end`."""
        yield from self.past
        yield (self.begin, max(self.begin, end), self.value)

    def overlapping(self, begin, end, latest):
        """The intervals that share a time with [begin, end]."""
        first = bisect.bisect_left(self.past, begin, key=lambda interval: interval[1])
        for interval in self.past[first:]:
            if interval[0] > end:
                return
            yield interval
        if self.begin <= end:
            yield (self.begin, max(self.begin, latest), self.value)

    def values(self):
        """The values it had, None left out."""
        return [value for _, _, value in self.intervals(self.begin) if value is not None]


class StateSystem:
    """Attributes by key (a tuple), in the order of their creation."""

    def __init__(self, begin):
        self.begin = begin
        self.latest = begin
        self.attributes = {}

    def set(self, key, time, value):
        attribute = self.attributes.get(key)
        if attribute is None:
            attribute = self.attributes[key] = Attribute(self.begin)
        attribute.set(time, value)
        self.latest = max(self.latest, time)

    def at(self, key, time):
        attribute = self.attributes.get(key)
        return attribute.at(time) if attribute is not None else None

    def values(self, kind):
        """The values of all attributes whose key begins with `kind`."""
        return [value for key, attribute in self.attributes.items() if key[0] == kind for value in attribute.values()]

    def count(self, kind):
        """How many attributes whose key begins with `kind` ever had a value."""
        return sum(1 for key, attribute in self.attributes.items() if key[0] == kind and attribute.values())

# SPDX-License-Identifier: MIT
"""What a page of `format=html` holds, read without a browser."""
import base64
import gzip
import hashlib
import html.parser
import itertools
import json
import re

SERIES_BITS = 6
HISTOGRAM_BITS = 4


class Elements(html.parser.HTMLParser):
    """All elements, their attributes, and the text of scripts and styles."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.elements = []
        self.texts = []
        self.is_inside = False

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        self.is_inside = tag in ("script", "style")
        if self.is_inside:
            self.texts.append((tag, dict(attributes), []))

    def handle_endtag(self, tag):
        self.is_inside = False

    def handle_data(self, data):
        if self.is_inside:
            self.texts[-1][2].append(data)


def source_of(text, directive):
    return re.search(directive + r" ('sha256-[^']*')", text).group(1)


def hash_of(text):
    return "'sha256-%s'" % base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def check_outside(page, libraries):
    """The page is whole, asks for nothing, and its policy allows exactly the scripts and styles in it."""
    parser = Elements()
    parser.feed(page)
    parser.close()
    assert page.startswith("<!doctype html>") and page.endswith("</html>\n")
    for tag, attributes in parser.elements:
        for name in ("src", "href", "data", "action", "poster", "srcset"):
            value = attributes.get(name) or ""
            assert not value or value.startswith(("#", "data:")), (tag, name, value)
        assert not any(name.startswith("on") or name == "style" for name in attributes), (tag, attributes)
    texts = [(tag, attributes.get("type"), "".join(parts)) for tag, attributes, parts in parser.texts]
    assert [(tag, kind) for tag, kind, _ in texts] == [("style", None), ("script", "application/gzip;base64"), ("script", None)], texts
    policy = next(attributes["content"] for tag, attributes in parser.elements if attributes.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none'; img-src data:; "), policy
    assert source_of(policy, "style-src") == hash_of(texts[0][2])
    assert source_of(policy, "script-src") == hash_of(texts[2][2])
    assert "sourceMappingURL" not in page, "a browser with its tools open would ask for it"
    for library in ("uplot", "dagre"):
        assert library not in libraries or library in page.lower(), library
    assert page.count("Permission is hereby granted, free of charge") == len(libraries), "licences of the libraries"
    return texts[1][2]


def read(path, libraries=("uplot", "dagre")):
    """The data of a page, which has these libraries in it."""
    with open(path, encoding="utf-8", newline="") as file:
        text = check_outside(file.read(), libraries)
    data = json.loads(gzip.decompress(base64.b64decode(text, validate=True)).decode("utf-8"),
                      parse_constant=lambda name: (_ for _ in ()).throw(ValueError(name)))
    for table in data["tables"]:
        table["rows"] = [list(row) for row in zip(*(values_of(column) for column in table.pop("cells")), strict=True)]
    return data


def values_of(column):
    """The cells of a column (core/output/page/page_columns.h)."""
    if isinstance(column, list):
        return column
    if "texts" in column:
        return [None if place is None else column["texts"][place] for place in column["which"]]
    return list(itertools.accumulate(column["steps"]))


def rows(table):
    """The rows of a table as the JSON output has them."""
    names = [column["name"] for column in table["columns"]]
    return [dict(zip(names, row, strict=True)) for row in table["rows"]]


def tables(data):
    return {table["name"]: table for table in data["tables"]}


def bucket(duration, bits):
    size = abs(duration)
    shift = max(0, size.bit_length() - 1 - bits)
    number = (shift << bits) + (size >> shift)
    return -number if duration < 0 else number


def pieces(series):
    """(begin in ns, length in ns, count, least, mean, greatest) of the pieces with instances; durations as buckets."""
    numbers = iter(series["pieces"])
    for i, count in enumerate(numbers):
        if count:
            least = next(numbers)
            mean = least + next(numbers)
            greatest = mean + next(numbers)
            yield (series["first"] + i) << series["shift"], 1 << series["shift"], count, least, mean, greatest

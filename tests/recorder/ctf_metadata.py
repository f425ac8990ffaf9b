# SPDX-License-Identifier: MIT
"""What the metadata of a CTF 1.8 trace of LTTng declares, read without babeltrace2."""

import re
from pathlib import Path

PACKET_MAGIC = 0x75D11D57
PACKET_HEADER_SIZE = 37


def metadata_text(file):
    """The TSDL text of a metadata file, which LTTng writes in packets."""
    content = file.read_bytes()
    order = next((order for order in ("little", "big") if content.startswith(PACKET_MAGIC.to_bytes(4, order))), None)
    if not order:
        return content.decode()
    text, position = b"", 0
    while position + PACKET_HEADER_SIZE <= len(content):
        content_bits = int.from_bytes(content[position + 24:position + 28], order)
        packet_bits = int.from_bytes(content[position + 28:position + 32], order)
        text += content[position + PACKET_HEADER_SIZE:position + content_bits // 8]
        position += packet_bits // 8
    return text.decode()


def declared_events(folder):
    """By name of the event: the list of its payload's declarations, of all traces in the folder."""
    events = {}
    for file in Path(folder).rglob("metadata"):
        for body in re.findall(r"^event \{\n(.*?)^\};", metadata_text(file), re.DOTALL | re.MULTILINE):
            name = re.search(r'name = "([^"]+)"', body).group(1)
            fields = re.search(r"fields := struct \{(.*)\};", body, re.DOTALL)
            events[name] = [" ".join(field.split()) for field in fields.group(1).strip().split("\n")] if fields else []
    return events


def clock_offset_ns(folder):
    """The offset of the trace's clock: ns since the Unix epoch at its zero."""
    for file in Path(folder).rglob("metadata"):
        clock = re.search(r"clock \{.*?\};", metadata_text(file), re.DOTALL).group(0)
        return int(re.search(r"offset = (\d+);", clock).group(1))
    raise FileNotFoundError(f"no metadata in {folder}")

"""Reads an Arrow stream over HTTP with pyarrow and prints its rows as JSON. Arguments: URL, codec or empty text."""

import datetime
import json
import sys
import urllib.request

import pyarrow as pa

url, codec = sys.argv[1:3]
accept = "application/vnd.apache.arrow.stream"
request = urllib.request.Request(url, headers={"accept": f'{accept}; codecs="{codec}"' if codec else accept})


def plain(value):
    if isinstance(value, datetime.datetime):
        return value.astimezone(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return value


with urllib.request.urlopen(request) as response, pa.ipc.open_stream(response) as reader:
    table = reader.read_all()
table.validate(full=True)
rows = [{name: plain(value) for name, value in row.items() if value is not None} for row in table.to_pylist()]
print(json.dumps({"schema": {field.name: str(field.type) for field in table.schema}, "rows": rows}))

"""Drives a connector with PyAirbyte: check, discover, and full or incremental reads into a cache of its own.

Argument: the executable. First line of input: JSON with `config`, `stream`, `cursor` and `folder`. After the first
incremental read it prints a line and waits for another line of input. The last line of its output is a JSON document.
"""
import json
import sys
from pathlib import Path

import airbyte as ab
from airbyte.caches import DuckDBCache

given = json.loads(sys.stdin.readline())
stream, folder = given["stream"], Path(given["folder"])
answers = sys.stdout
sys.stdout = sys.stderr
source = ab.get_source("source-topo-bench", local_executable=sys.argv[1], config=given["config"], streams=[stream])
source.check()
names = list(source.get_stream_json_schema(stream)["properties"])


def rows_of(cache):
    return [{name: row[name] for name in names} for row in cache[stream]]


# Without a cursor key, the stream is read in full.
whole = DuckDBCache(db_path=folder / "full.duckdb", cache_dir=folder)
full = source.read(cache=whole, force_full_refresh=True).processed_records
source.set_cursor_key(stream, given["cursor"])
cache = DuckDBCache(db_path=folder / "cache.duckdb", cache_dir=folder)
first = source.read(cache=cache).processed_records
print(json.dumps({"full": full, "first": first, "rows": rows_of(whole)}, default=str), file=answers, flush=True)
sys.stdin.readline()
second = source.read(cache=cache).processed_records
result = {"streams": source.get_available_streams(), "second": second, "rows": rows_of(cache)}
print(json.dumps(result, default=str), file=answers, flush=True)

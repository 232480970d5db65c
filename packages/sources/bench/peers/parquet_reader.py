"""Reads Parquet files with pyarrow on one thread, in the language of order.ts."""

import json
import sys

import pyarrow.parquet as parquet


def answer(value):
    print(json.dumps(value), flush=True)


answer("ready")
while line := sys.stdin.readline():
    path = json.loads(line)["table"]["file"]
    # With the metadata, which our side reads when it opens the file.
    with parquet.ParquetFile(path, pre_buffer=False) as file:
        answer("opened")
        sys.stdin.readline()
        rows = 0
        for batch in file.iter_batches(batch_size=100_000, use_threads=False):
            rows += batch.num_rows
            columns = batch.schema.names
        answer({"rows": rows, "columns": columns})
        sys.stdin.readline()
    answer("closed")

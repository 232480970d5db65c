"""Reads tables of PostgreSQL with ADBC, in the language of order.ts."""

import json
import sys

import adbc_driver_postgresql.dbapi as dbapi
import pyarrow  # noqa: F401


def answer(value):
    print(json.dumps(value), flush=True)


answer("ready")
while line := sys.stdin.readline():
    table = json.loads(line)["table"]
    with dbapi.connect(table["url"]) as connection, connection.cursor() as cursor:
        answer("opened")
        sys.stdin.readline()
        cursor.execute(f"SELECT * FROM {table['table']}")
        rows = 0
        for batch in cursor.fetch_record_batch():
            rows += batch.num_rows
            columns = batch.schema.names
        answer({"rows": rows, "columns": columns})
        sys.stdin.readline()
    answer("closed")

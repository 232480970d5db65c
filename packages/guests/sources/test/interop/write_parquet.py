"""Writes a table of many types to Parquet files in several forms, and prints its rows as JSON.

Arguments: the folder, and the number of rows.
"""
import datetime
import decimal
import json
import sys
from itertools import product

import pyarrow as pa
import pyarrow.parquet as parquet

folder, count = sys.argv[1], int(sys.argv[2])


def column(type, value):
    """Every fifth value is null, each column from another row on."""
    start = len(columns)
    columns.append(pa.array([None if (n + start) % 5 == 0 else value(n) for n in range(count)], type))


columns = []
column(pa.int32(), lambda n: n * 7919 - 2**30)
column(pa.int64(), lambda n: (n - 500) * 2**52 + n)
column(pa.float32(), lambda n: n / 4 - 10)
column(pa.float64(), lambda n: n / 3)
column(pa.decimal128(7, 2), lambda n: decimal.Decimal(n * 31 - 4000).scaleb(-2))
column(pa.decimal128(18, 3), lambda n: decimal.Decimal((n - 300) * 10**14 + 7).scaleb(-3))
column(pa.decimal128(30, 4), lambda n: decimal.Decimal((n - 300) * 10**26 + 1).scaleb(-4))
column(pa.date32(), lambda n: datetime.date(1960, 1, 1) + datetime.timedelta(n))
column(pa.timestamp("us", "UTC"), lambda n: datetime.datetime(1969, 1, 1) + datetime.timedelta(hours=n, microseconds=n))
column(pa.string(), lambda n: f"ü{n % 37}" if n % 3 else "")
column(pa.binary(), lambda n: bytes([n % 256, 0]))
column(pa.bool_(), lambda n: n % 3 == 0)
column(pa.int16(), lambda n: n - 300)
# All null, none null, and texts that are all empty.
columns.append(pa.nulls(count, pa.decimal128(18, 3)))
columns.append(pa.array([decimal.Decimal(-n).scaleb(-2) for n in range(count)], pa.decimal128(9, 2)))
column(pa.string(), lambda n: "")
names = [f"c{place}" for place in range(len(columns))]
table = pa.table([pa.array(range(count), pa.int32()), *columns], names=["id", *names])
schema = table.schema.set(0, pa.field("id", pa.int32(), nullable=False))
table = table.cast(schema)

codecs = ["none", "snappy", "gzip", "zstd", "lz4", "brotli"]
for codec, version, dictionary in product(codecs, ["1.0", "2.0"], [True, False]):
    parquet.write_table(
        table,
        f"{folder}/{codec}-{version}-{'dictionary' if dictionary else 'plain'}.parquet",
        compression=codec,
        data_page_version=version,
        use_dictionary=dictionary,
        row_group_size=count // 2 + 1,
        data_page_size=1500,
        store_decimal_as_integer=True,
    )

# Row groups without rows.
with parquet.ParquetWriter(f"{folder}/empty-groups.parquet", table.schema) as writer:
    for part in [table.slice(0, 0), table, table.slice(0, 0)]:
        writer.write_table(part)


def text(value):
    if isinstance(value, (decimal.Decimal, datetime.date)):
        return str(value)
    return list(value) if isinstance(value, bytes) else value


print(json.dumps([[text(row[name]) for name in table.column_names] for row in table.to_pylist()]))

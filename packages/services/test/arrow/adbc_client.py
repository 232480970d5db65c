"""Queries a Flight SQL server with ADBC, prints the answers as JSON. Arguments: location, task, files or a query."""

import datetime
import decimal
import json
import os
import sys
import threading
import warnings

import adbc_driver_flightsql
import adbc_driver_flightsql.dbapi as dbapi
import pyarrow as pa

location, task = sys.argv[1:3]
options = adbc_driver_flightsql.DatabaseOptions
warnings.simplefilter("ignore")  # There are no transactions, of which every connection warns.


def connect(**settings):
    return dbapi.connect(location, db_kwargs=settings)


def error_of(call):
    try:
        call()
        return None
    except Exception as error:  # the test names the class that it expects
        return [type(error).__name__, str(error)]


def fetch(cursor, query, parameters=None):
    cursor.execute(query, parameters)
    table = cursor.fetch_arrow_table()
    table.validate(full=True)
    return table


UTC = datetime.timezone.utc
EXPECTED = [
    # PostgreSQL's expression, Arrow's type, its values in Python
    ("'t'::bool", "bool", True),
    ("(-32768)::int2", "int16", -32768),
    ("(-2147483648)::int4", "int32", -2147483648),
    ("9223372036854775807::int8", "int64", 9223372036854775807),
    ("(-9223372036854775808)::int8", "int64", -9223372036854775808),
    ("4294967295::oid", "uint32", 4294967295),
    ("1.5::float4", "float", 1.5),
    ("0.1::float8", "double", 0.1),
    ("'-Infinity'::float8", "double", float("-inf")),
    ("5e-324::float8", "double", 5e-324),
    ("12345678901234567890.123456789::numeric", "string", "12345678901234567890.123456789"),
    ("'NaN'::numeric", "string", "NaN"),
    ("'zoë 🫖'::text", "string", "zoë 🫖"),
    ("''::text", "string", ""),
    ("'ab'::varchar(10)", "string", "ab"),
    ("'ab'::char(4)", "string", "ab  "),
    ("'\\x00ff10'::bytea", "binary", b"\x00\xff\x10"),
    ("''::bytea", "binary", b""),
    ("'2026-03-01'::date", "date32[day]", datetime.date(2026, 3, 1)),
    ("'0001-01-01'::date", "date32[day]", datetime.date(1, 1, 1)),
    ("'9999-12-31'::date", "date32[day]", datetime.date(9999, 12, 31)),
    ("'23:59:59.999999'::time", "time64[us]", datetime.time(23, 59, 59, 999999)),
    ("'2026-03-01 12:00:00.000001'::timestamp", "timestamp[us]", datetime.datetime(2026, 3, 1, 12, 0, 0, 1)),
    ("'1969-12-31 23:59:59.5'::timestamp", "timestamp[us]", datetime.datetime(1969, 12, 31, 23, 59, 59, 500000)),
    ("'2026-03-01 12:00:00+05:30'::timestamptz", "timestamp[us, tz=UTC]", datetime.datetime(2026, 3, 1, 6, 30, tzinfo=UTC)),
    ('\'{"b": [1, null], "a": "ü"}\'::jsonb', "string", '{"a": "ü", "b": [1, null]}'),
    ("'{\"b\":1}'::json", "string", '{"b":1}'),
    ("'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "string", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"),
    ("ARRAY[1, NULL]", "string", "{1,NULL}"),
    ("'1 day 02:03:04'::interval", "string", "1 day 02:03:04"),
]


def types(connection):
    """Every value between nulls, so that offsets and bitmaps are seen too."""
    wrong = []
    with connection.cursor() as cursor:
        for expression, kind, value in EXPECTED:
            table = fetch(cursor, f"SELECT CASE n WHEN 2 THEN {expression} END AS v FROM generate_series(1, 3) n ORDER BY n")
            column = table.column(0)
            found = column.to_pylist()
            if str(column.type) != kind or found != [None, value, None]:
                wrong.append([expression, str(column.type), repr(found)])
    return {"wrong": wrong, "checked": len(EXPECTED)}


def decimals(connection):
    """Apart, since PostgreSQL forgets precision and scale within expressions."""
    with connection.cursor() as cursor:
        table = fetch(cursor, "SELECT (-123.45)::numeric(10,2) AS a, 0.05::numeric(38,38) AS b, (-99999999999999999999999999999999999999)::numeric(38,0) AS c")
        return {"types": [str(f.type) for f in table.schema], "values": [str(c[0].as_py()) for c in table.columns]}


def items(connection):
    with connection.cursor() as cursor:
        table = fetch(cursor, "SELECT * FROM items ORDER BY id")
        first = {name: value for name, value in table.slice(0, 1).to_pylist()[0].items()}
        first["created_at"] = first["created_at"].isoformat()
        empty = fetch(cursor, "SELECT id, total_cents FROM items WHERE false")
        doubled = fetch(cursor, "SELECT 1, 2")
        return {
            "schema": [[f.name, str(f.type)] for f in table.schema],
            "rows": table.num_rows,
            "first": first,
            "empty": [empty.num_rows, [str(f.type) for f in empty.schema]],
            "doubled": [c.to_pylist() for c in doubled.columns],
            "fetchone": [cursor.execute("SELECT 7"), cursor.fetchone()][1],
        }


def large(connection):
    with connection.cursor() as cursor:
        cursor.execute("SELECT n, repeat('x', 100) || n AS text FROM generate_series(1, 300000) n")
        rows, total, batches = 0, 0, 0
        for batch in cursor.fetch_record_batch():
            rows, batches = rows + batch.num_rows, batches + 1
            total += sum(batch.column(0).to_pylist())
            assert batch.column(1)[0].as_py() == "x" * 100 + str(batch.column(0)[0].as_py())
        return {"rows": rows, "sum": total, "isStreamed": batches > 5}


def parameters(connection):
    values = [True, 2**40, -0.5, "zoë'; --", b"\x00\xff", datetime.date(1969, 1, 2), datetime.datetime(1969, 1, 2, 3, 4, 5, 6), decimal.Decimal("-0.05"), datetime.time(23, 4, 5, 6), datetime.datetime(2026, 1, 2, 3, 4, 5, 999999, UTC), None]
    kinds = ["bool", "int8", "float8", "text", "bytea", "date", "timestamp", "numeric(6,2)", "time", "timestamptz", "text"]
    chosen = ", ".join(f"${i + 1}::{kind} AS p{i}" for i, kind in enumerate(kinds))
    with connection.cursor() as cursor:
        row = fetch(cursor, f"SELECT {chosen}", values).to_pylist()[0]
        return {
            "same": [row[f"p{i}"] == value for i, value in enumerate(values)],
            "again": [fetch(cursor, "SELECT count(*) AS c FROM items WHERE total_cents >= $1", [cents]).to_pylist()[0]["c"] for cents in (0, 10**9)],
            "none": error_of(lambda: fetch(cursor, "SELECT $1::int")),
        }


def catalogue(connection):
    objects = connection.adbc_get_objects(depth="all", table_name_filter="items").read_all().to_pylist()
    found = [
        [c["catalog_name"], s["db_schema_name"], t["table_name"], t["table_type"], [col["column_name"] for col in t["table_columns"]]]
        for c in objects
        for s in c["catalog_db_schemas"]
        for t in s["db_schema_tables"]
    ]
    info = connection.adbc_get_info()
    return {
        "objects": found,
        "schemas": [s["db_schema_name"] for c in connection.adbc_get_objects(depth="db_schemas").read_all().to_pylist() for s in c["catalog_db_schemas"]],
        "types": connection.adbc_get_table_types(),
        "schema": [[f.name, str(f.type)] for f in connection.adbc_get_table_schema("items")],
        "info": [info.get("vendor_name"), info.get("vendor_arrow_version") is not None],
    }


def errors(connection):
    def run(query, consume=True):
        with connection.cursor() as cursor:
            cursor.execute(query)
            if consume:
                cursor.fetch_arrow_table()

    return {
        "wrong": error_of(lambda: run("SELECT id\nFORM items")),
        "missing": error_of(lambda: run("SELECT nothing FROM items")),
        "later": error_of(lambda: run("SELECT 1 / (n - 50000) FROM generate_series(1, 100000) n")),
        "write": error_of(lambda: run("DELETE FROM items")),
        "returning": error_of(lambda: run("DELETE FROM items RETURNING id")),
        "file": error_of(lambda: run("SELECT pg_read_file('/etc/passwd')")),
        "program": error_of(lambda: run("COPY items TO PROGRAM 'cat'")),
        "slow": error_of(lambda: run("SELECT pg_sleep(600)")),
        "after": error_of(lambda: run("SELECT 1")),
    }


def cancel(connection):
    """Asks for a stream without end, prints a line with its first row there, and goes at once."""
    cursor = connection.cursor()
    cursor.execute(sys.argv[3])
    reader = cursor.fetch_record_batch()
    reader.read_next_batch()
    print("{}", flush=True)
    if sys.argv[4] == "vanish":
        os._exit(0)
    cursor.adbc_cancel()
    cursor.close()
    return None


def login():
    user = {options.AUTHORIZATION_HEADER.value: "Basic YWRhOnNlY3JldA=="}
    named = {"username": "ada", "password": "secret"}

    def rows(settings):
        with connect(**settings) as connection, connection.cursor() as cursor:
            return fetch(cursor, "SELECT count(*) AS c FROM items").to_pylist()[0]["c"]

    return {
        "named": rows(named),
        "header": rows(user),
        "without": error_of(lambda: rows({})),
        "wrong": error_of(lambda: rows({**named, "password": "guessed"})),
    }


def tls():
    with open(sys.argv[3]) as ca:
        settings = {options.TLS_ROOT_CERTS.value: ca.read()}
    with connect(**settings) as connection, connection.cursor() as cursor:
        return {"rows": fetch(cursor, "SELECT id FROM items").num_rows, "without": error_of(lambda: connect().cursor().execute("SELECT 1"))}


def parallel(connection):
    """Each thread on a connection of its own, more of them than the server gives the database."""
    found = []

    def run(number):
        with connect() as own, own.cursor() as cursor:
            found.append(fetch(cursor, f"SELECT sum(n) * {number} AS s FROM generate_series(1, 10000) n").to_pylist()[0]["s"])

    threads = [threading.Thread(target=run, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(int(value) for value in found)


if task in ("login", "tls"):
    print(json.dumps(globals()[task]()))
else:
    with connect() as connection:
        result = globals()[task](connection)
    if result is not None:
        print(json.dumps(result))

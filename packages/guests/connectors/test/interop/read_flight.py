"""Reads a stream over Flight with pyarrow or with ADBC's Flight SQL driver, and prints its rows as JSON.

Argument: the client. Input: JSON with `url`, `user`, `password` and `stream`.
"""
import json
import sys

import pyarrow.flight as flight

given = json.load(sys.stdin)


def location():
    """The FlightInfo of the stream, and the credentials of a call."""
    client = flight.connect(given["url"])
    token = client.authenticate_basic_token(given["user"], given["password"])
    options = flight.FlightCallOptions(headers=[token])
    info = client.get_flight_info(flight.FlightDescriptor.for_path(given["stream"]), options)
    return client, options, info


def read_with_pyarrow():
    client, options, info = location()
    with client:
        return client.do_get(info.endpoints[0].ticket, options).read_all()


def read_with_adbc():
    import adbc_driver_flightsql.dbapi as dbapi

    client, _, info = location()
    client.close()
    credentials = {"username": given["user"], "password": given["password"]}
    with dbapi.connect(given["url"], db_kwargs=credentials, autocommit=True) as connection:
        with connection.cursor() as cursor:
            # A partition of ADBC's Flight driver is a FlightInfo.
            cursor.adbc_read_partition(info.serialize())
            return cursor.fetch_arrow_table()


table = {"pyarrow": read_with_pyarrow, "adbc": read_with_adbc}[sys.argv[1]]()
table.validate(full=True)
types = [str(field.type) for field in table.schema]
print(json.dumps({"types": types, "rows": table.to_pylist()}, default=str))

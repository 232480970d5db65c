"""Reads the table NAME of a Flight server at LOCATION with pyarrow, and prints its rows as JSON."""

import json
import sys

import pyarrow.flight as flight

location, name = sys.argv[1:]
with flight.connect(location) as client:
    info = client.get_flight_info(flight.FlightDescriptor.for_path(name))
    table = client.do_get(info.endpoints[0].ticket).read_all()
table.validate(full=True)
print(json.dumps({"types": [str(field.type) for field in table.schema], "rows": table.to_pylist()}, default=str))

"""Calls every verb of a Flight server with pyarrow and prints what came, as JSON. Arguments: location, what to do, files."""

import json
import os
import sys
import time

import pyarrow as pa
import pyarrow.flight as flight

location, task = sys.argv[1:3]


def error_of(call):
    try:
        call()
        return None
    except Exception as error:  # the test names the class that it expects
        return [type(error).__name__, str(error)]


def verbs(client, options=None):
    path = flight.FlightDescriptor.for_path("numbers", "ü")
    info = client.get_flight_info(path, options)
    table = client.do_get(info.endpoints[0].ticket, options).read_all()
    table.validate(full=True)
    writer, acks = client.do_put(path, table.schema, options)
    for batch in table.to_batches():
        writer.write_with_metadata(batch, b"please acknowledge")
    writer.done_writing()
    acknowledged = []
    while (ack := acks.read()) is not None:
        acknowledged.append(ack.to_pybytes().decode())
    writer.close()
    exchange, echo = client.do_exchange(flight.FlightDescriptor.for_command(b"echo"), options)
    exchange.begin(table.schema)
    exchange.write_with_metadata(table.to_batches()[0], b"with batch")
    exchange.write_metadata(b"alone")
    exchange.done_writing()
    echoed = [[c.data.num_rows if c.data else None, c.app_metadata.to_pybytes().decode()] for c in echo]
    exchange.close()
    return {
        "flights": [[p.decode() for p in f.descriptor.path] for f in client.list_flights(b"all", options)],
        "schema": str(client.get_schema(path, options).schema),
        "infoSchema": str(info.schema),
        "tickets": [e.ticket.ticket.decode() for e in info.endpoints],
        "totals": [info.total_records, info.total_bytes],
        "rows": table.num_rows,
        "sums": [sum(column.to_pylist()) for column in table.columns],
        "acknowledged": acknowledged,
        "echoed": echoed,
        "results": [r.body.to_pybytes().decode() for r in client.do_action(flight.Action("repeat", b"ab"), options)],
        "actions": [[a.type, a.description] for a in client.list_actions(options)],
    }


def errors(client):
    get = lambda ticket: client.do_get(flight.Ticket(ticket)).read_all()
    table = pa.table({"other": pa.array([1, 2], pa.int32())})

    def put_wrong_schema():
        writer, acks = client.do_put(flight.FlightDescriptor.for_path("numbers"), table.schema)
        writer.write_table(table)
        writer.close()

    return {
        "wrong ticket": error_of(lambda: get(b"none")),
        "source fails": error_of(lambda: get(b"fails")),
        "deadline": error_of(
            lambda: client.do_get(flight.Ticket(b"stalls"), flight.FlightCallOptions(timeout=0.3)).read_all()
        ),
        "wrong schema": error_of(put_wrong_schema),
        "denied": error_of(lambda: list(client.do_action(flight.Action("denied", b"")))),
    }


def too_long(client):
    table = pa.table({name: pa.array(range(10_000), pa.int64()) for name in "abcd"})
    writer, acks = client.do_put(flight.FlightDescriptor.for_path("x"), table.schema)

    def upload():
        for _ in range(100):
            writer.write_table(table)
        writer.close()

    return {"upload": error_of(upload), "next call": error_of(lambda: list(client.list_actions()))}


def vanish(client):
    """Ends this process in the middle of a download and of an upload."""
    reader = client.do_get(flight.Ticket(b"ticks"))
    chunk = reader.read_chunk().data
    writer, acks = client.do_put(flight.FlightDescriptor.for_path("x"), chunk.schema)
    writer.write_with_metadata(chunk, b"please acknowledge")
    acks.read()
    print("{}", flush=True)
    os._exit(0)


def cancel(client):
    reader = client.do_get(flight.Ticket(b"ticks"))
    first = reader.read_chunk().data.num_rows
    reader.cancel()
    time.sleep(0.1)
    return {"first": first}


def many_bytes(client, wanted):
    received = 0
    for endpoint in client.get_flight_info(flight.FlightDescriptor.for_command(str(wanted).encode())).endpoints:
        for chunk in client.do_get(endpoint.ticket):
            received += chunk.data.nbytes
    return {"bytes": received}


def values_of(table):
    """Of the first column, as far as Python and JSON have its type."""
    try:
        values = table.column(0).to_pylist()
        json.dumps(values, allow_nan=False)
    except Exception:
        return None
    return [str(v) if isinstance(v, int) and abs(v) > 2**53 else v for v in values]


def round_trip(client, compression):
    """Sends every flight of the server back as it came."""
    codec = None if compression == "none" else compression
    options = flight.FlightCallOptions(write_options=pa.ipc.IpcWriteOptions(compression=codec))
    seen = {}
    for info in client.list_flights():
        table = client.do_get(info.endpoints[0].ticket).read_all()
        table.validate(full=True)
        writer, _ = client.do_put(info.descriptor, table.schema, options)
        writer.write_table(table)
        writer.close()
        seen[info.descriptor.path[0].decode()] = {"rows": table.num_rows, "values": values_of(table)}
    return seen


if task == "tls":
    ca, certificate, key = (open(path, "rb").read() for path in sys.argv[3:6])
    both = flight.FlightClient(location, tls_root_certs=ca, cert_chain=certificate, private_key=key)
    alone = flight.FlightClient(location, tls_root_certs=ca)
    result = {"both": verbs(both)["rows"], "alone": error_of(lambda: list(alone.list_actions()))}
elif task == "login":
    client = flight.FlightClient(location)
    options = flight.FlightCallOptions(headers=[client.authenticate_basic_token(b"ada", "söcret".encode())])
    result = {
        "rows": verbs(client, options)["rows"],
        "without": error_of(lambda: list(client.list_actions())),
        "wrong": error_of(lambda: client.authenticate_basic_token(b"ada", b"wrong")),
        "forged": error_of(
            lambda: list(client.list_actions(flight.FlightCallOptions(headers=[(b"authorization", b"Bearer forged")])))
        ),
    }
else:
    client = flight.FlightClient(location)
    if task == "verbs":
        result = verbs(client)
    elif task == "errors":
        result = errors(client)
    elif task == "too-long":
        result = too_long(client)
    elif task == "vanish":
        vanish(client)
    elif task == "cancel":
        result = cancel(client)
    elif task == "round-trip":
        result = round_trip(client, sys.argv[3])
    else:
        result = many_bytes(client, int(task))

print(json.dumps(result))

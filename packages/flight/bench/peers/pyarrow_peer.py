"""The bench's server or client with pyarrow, whose Flight is the C++ implementation. Batches are sent and, where their count makes
Python the limit, also taken by C++ alone."""

import concurrent.futures
import json
import sys
import time

import pyarrow as pa
import pyarrow.flight as flight

# Below this, reading batch by batch would time Python.
SMALL_ROWS = 4096
tables = {}


def table_of(rows, messages):
    if (rows, messages) not in tables:
        batch = pa.record_batch([pa.array(range(c, c + rows), pa.int64()) for c in range(4)], names=list("abcd"))
        tables.clear()
        tables[rows, messages] = pa.Table.from_batches([batch] * messages)
    return tables[rows, messages]


def numbers(ticket):
    return tuple(int(part) for part in ticket.decode().split())


def count_rows(reader, rows):
    if rows < SMALL_ROWS:
        return reader.read_all().num_rows
    count = 0
    while True:
        try:
            count += reader.read_chunk().data.num_rows
        except StopIteration:
            return count


class Server(flight.FlightServerBase):
    def do_get(self, context, ticket):
        return flight.RecordBatchStream(table_of(*numbers(ticket.ticket)))

    def do_put(self, context, descriptor, reader, writer):
        rows, _ = numbers(descriptor.path[0])
        writer.write(str(count_rows(reader, rows)).encode())


def do_get(client, job, messages):
    return count_rows(client.do_get(flight.Ticket(f"{job['rows']} {messages}".encode())), job["rows"])


def do_put(client, job, messages):
    table = table_of(job["rows"], messages)
    descriptor = flight.FlightDescriptor.for_path(f"{job['rows']} {messages}")
    writer, acks = client.do_put(descriptor, table.schema)
    writer.write_table(table)
    writer.done_writing()
    rows = int(acks.read().to_pybytes())
    writer.close()
    return rows


def run(job):
    verb = {"DoGet": do_get, "DoPut": do_put}[job["verb"]]
    clients = [flight.FlightClient(job["location"]) for _ in range(job["streams"])]
    for client in clients:
        verb(client, job, 1)
    table_of(job["rows"], job["messages"])
    with concurrent.futures.ThreadPoolExecutor(job["streams"]) as pool:
        start = time.perf_counter()
        rows = sum(pool.map(lambda client: verb(client, job, job["messages"]), clients))
        seconds = time.perf_counter() - start
    for client in clients:
        client.close()
    return {"seconds": seconds, "rows": rows}


if sys.argv[1] == "server":
    server = Server("grpc+tcp://127.0.0.1:0")
    print(json.dumps({"location": f"grpc+tcp://127.0.0.1:{server.port}"}), flush=True)
    sys.stdin.read()
    server.shutdown()
else:
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)

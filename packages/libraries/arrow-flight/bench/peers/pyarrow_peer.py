"""The bench's server or client with pyarrow, whose Flight is the C++ implementation. Batches are sent and, where their
count makes Python the limit, also taken by C++ alone."""

import concurrent.futures
import json
import sys
import threading
import time

import pyarrow as pa
import pyarrow.flight as flight

account = {"calls": {}, "sentBytes": 0, "receivedBytes": 0, "built": 0}
accounting = threading.Lock()
batches = {}
tables = {}


def note(counter, amount):
    with accounting:
        account[counter] += amount


def note_call(verb, ticket):
    with accounting:
        name = f"{verb} {ticket}"
        account["calls"][name] = account["calls"].get(name, 0) + 1


def batch_of(rows):
    if rows not in batches:
        note("built", 1)
        batches[rows] = pa.record_batch(
            [pa.array(range(c, c + rows), pa.int64()) for c in range(4)], names=list("abcd")
        )
    return batches[rows]


def table_of(rows, messages):
    """The same batch many times over, which costs no copy."""
    if (rows, messages) not in tables:
        batch = batch_of(rows)
        note("built", 1)
        tables[rows, messages] = pa.Table.from_batches([batch] * messages)
    return tables[rows, messages]


def ticket_of(job):
    return f"{job['rows']} {job['messages']} {job['taking']}"


def read_ticket(ticket):
    rows, messages, taking = ticket.decode().split()
    return int(rows), int(messages), taking


def count_rows(reader, taking):
    if taking == "kept":
        table = reader.read_all()
        note("receivedBytes", table.nbytes)
        return table.num_rows
    count = 0
    while True:
        try:
            batch = reader.read_chunk().data
        except StopIteration:
            return count
        note("receivedBytes", batch.nbytes)
        count += batch.num_rows


class Server(flight.FlightServerBase):
    def do_get(self, context, ticket):
        note_call("DoGet", ticket.ticket.decode())
        rows, messages, _ = read_ticket(ticket.ticket)
        table = table_of(rows, messages)
        note("sentBytes", table.nbytes)
        return flight.RecordBatchStream(table)

    def do_put(self, context, descriptor, reader, writer):
        ticket = descriptor.path[0]
        note_call("DoPut", ticket.decode())
        writer.write(str(count_rows(reader, read_ticket(ticket)[2])).encode())


def do_get(client, job):
    return count_rows(client.do_get(flight.Ticket(ticket_of(job).encode())), job["taking"])


def do_put(client, job):
    table = table_of(job["rows"], job["messages"])
    writer, acks = client.do_put(flight.FlightDescriptor.for_path(ticket_of(job)), table.schema)
    note("sentBytes", table.nbytes)
    writer.write_table(table)
    writer.done_writing()
    rows = int(acks.read().to_pybytes())
    writer.close()
    return rows


class Prepared:
    def __init__(self, job):
        self.job = job
        self.verb = {"DoGet": do_get, "DoPut": do_put}[job["verb"]]
        locations = job["locations"]
        self.clients = [flight.FlightClient(locations[i % len(locations)]) for i in range(job["streams"])]
        self.pool = concurrent.futures.ThreadPoolExecutor(job["streams"])
        self.call_all()

    def call(self, client):
        note_call(self.job["verb"], ticket_of(self.job))
        return self.verb(client, self.job)

    def call_all(self):
        return sum(self.pool.map(self.call, self.clients))

    def go(self):
        start = time.perf_counter()
        rows = self.call_all()
        seconds = time.perf_counter() - start
        self.pool.shutdown()
        for client in self.clients:
            client.close()
        return {"seconds": seconds, "rows": rows}


def answer(value):
    print(json.dumps(value), flush=True)


def current_account():
    with accounting:
        return {**account, "cpuSeconds": time.process_time()}


if sys.argv[1] == "server":
    server = Server("grpc+tcp://127.0.0.1:0")
    answer({"location": f"grpc+tcp://127.0.0.1:{server.port}"})
    for line in sys.stdin:
        answer(current_account())
    server.shutdown()
else:
    prepared = None
    for line in sys.stdin:
        order = json.loads(line)
        if order == "account":
            answer(current_account())
        elif order == "go":
            answer(prepared.go())
        else:
            prepared = Prepared(order["prepare"])
            answer("prepared")

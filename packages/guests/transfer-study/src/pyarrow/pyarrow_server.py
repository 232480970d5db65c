"""The Flight server of pyarrow (Arrow C++) with the table of a transfer: DoGet of its parts, DoPut with a report on
what arrived, DoExchange that echoes. Standard input is one line of JSON with the settings. The server ends when it is
closed.
"""

import base64
import binascii
import hmac
import json
import os
import secrets
import sys

import pyarrow as pa
import pyarrow.flight as flight
from kept_columns import KeptColumns

MAX_PARTS = 1024


class SeededTable:
    """The batches of the file, repeated up to the number of rows: batch n is batch n modulo their count."""

    def __init__(self, file, rows, batch_rows):
        with pa.OSFile(file) as source, pa.ipc.open_stream(source) as reader:
            self.schema = reader.schema
            self.different = list(reader)
        self.rows = rows
        self.batch_rows = batch_rows
        self.parts = {}

    def part(self, part, parts):
        """One of so many equal parts. Made once, without a copy."""
        if (part, parts) not in self.parts:
            count = -(-self.rows // self.batch_rows)
            batches = [self.batch(number) for number in range(part * count // parts, (part + 1) * count // parts)]
            self.parts[part, parts] = pa.Table.from_batches(batches, self.schema)
        return self.parts[part, parts]

    def batch(self, number):
        batch = self.different[number % len(self.different)]
        return batch.slice(0, min(self.batch_rows, self.rows - number * self.batch_rows))


class PyarrowServer(flight.FlightServerBase):
    def __init__(self, settings, **options):
        super().__init__("grpc+tcp://127.0.0.1:0", **options)
        self.name = settings["service"]
        self.endpoints = settings["endpoints"]
        self.digest_key = settings["digestKey"]
        self.table = SeededTable(settings["file"], settings["rows"], settings["batchRows"])

    def list_flights(self, context, criteria):
        yield self.get_flight_info(context, flight.FlightDescriptor.for_path(self.name))

    def get_flight_info(self, context, descriptor):
        parts = self.parts_of(descriptor)
        endpoints = []
        for part in range(parts):
            self.table.part(part, parts)
            ticket = json.dumps({"service": self.name, "part": part, "parts": parts})
            endpoints.append(flight.FlightEndpoint(ticket, []))
        return flight.FlightInfo(self.table.schema, descriptor, endpoints, self.table.rows, -1)

    def get_schema(self, context, descriptor):
        self.parts_of(descriptor)
        return flight.SchemaResult(self.table.schema)

    def do_get(self, context, ticket):
        asked = read_json(ticket.ticket)
        part, parts = asked.get("part"), asked.get("parts")
        if asked.get("service") != self.name or not is_count(parts) or not isinstance(part, int) or not 0 <= part < parts:
            raise flight.FlightServerError("the ticket names no flight of this service")
        return flight.RecordBatchStream(self.table.part(part, parts))

    def do_put(self, context, descriptor, reader, writer):
        self.parts_of(descriptor)
        self.require_schema(reader.schema)
        kept = KeptColumns(self.table.schema.names, self.digest_key)
        for batch, metadata in reader:
            if batch is not None:
                kept.add(batch)
            if metadata is not None:
                writer.write(json.dumps({"taken": kept.taken, "passed": kept.taken}).encode())
        writer.write(kept.report())

    def do_exchange(self, context, descriptor, reader, writer):
        self.parts_of(descriptor)
        self.require_schema(reader.schema)
        writer.begin(reader.schema)
        for batch, metadata in reader:
            if metadata is None:
                writer.write_batch(batch)
            elif batch is None:
                writer.write_metadata(metadata)
            else:
                writer.write_with_metadata(batch, metadata)

    def parts_of(self, descriptor):
        """How many parts the descriptor asks for: a path with the name of the service, or a command of JSON."""
        if descriptor.descriptor_type == flight.DescriptorType.PATH:
            if descriptor.path == [self.name.encode()]:
                return self.endpoints
            raise flight.FlightServerError(f"there is no flight {descriptor.path} here, expected {self.name}")
        parts = read_json(descriptor.command).get("endpoints", self.endpoints)
        if is_count(parts):
            return parts
        raise flight.FlightServerError(f"endpoints: got {parts}, expected a whole number from 1 to {MAX_PARTS}")

    def require_schema(self, schema):
        if not schema.equals(self.table.schema):
            raise flight.FlightServerError(f"the columns are {schema}; expected {self.table.schema}")


def read_json(text):
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if isinstance(value, dict):
        return value
    raise flight.FlightServerError("a ticket or command is no JSON object")


def is_count(value):
    return isinstance(value, int) and 1 <= value <= MAX_PARTS


class AnyHandshake(flight.ServerAuthHandler):
    """Passes handshakes on to the middleware, which checks the headers of every call."""

    def authenticate(self, outgoing, incoming):
        pass

    def is_valid(self, token):
        return ""


class LogIn(flight.ServerMiddlewareFactory):
    """Basic authentication, answered with a bearer token for the calls after it."""

    def __init__(self, user, password):
        self.basic = f"{user}:{password}".encode()
        self.token = secrets.token_urlsafe().encode()

    def start_call(self, info, headers):
        scheme, _, given = (headers.get("authorization") or [""])[0].partition(" ")
        expected = {"basic": self.basic, "bearer": self.token}.get(scheme.lower(), self.token)
        if hmac.compare_digest(decoded(given) if scheme.lower() == "basic" else given.encode(), expected):
            return BearerToken(self.token)
        raise flight.FlightUnauthenticatedError("user or password is wrong, or missing")


class BearerToken(flight.ServerMiddleware):
    def __init__(self, token):
        self.token = token

    def sending_headers(self):
        return {"authorization": f"Bearer {self.token.decode()}"}


def decoded(text):
    try:
        return base64.b64decode(text)
    except binascii.Error:
        return b""


settings = json.loads(sys.stdin.readline())
login = settings.get("login")
access = {"auth_handler": AnyHandshake(), "middleware": {"login": LogIn(**login)}} if login else {}
server = PyarrowServer(settings, **access)
print(json.dumps({"location": f"grpc+tcp://127.0.0.1:{server.port}", "version": pa.__version__}), flush=True)
sys.stdin.read()
# Without a wait for calls in flight, whose other end may be gone.
os._exit(0)

"""A pyarrow Flight server that prints its location and serves until its input ends. Arguments: files for TLS, if any."""

import os
import sys
import time

import pyarrow as pa
import pyarrow.flight as flight

rows = 100_000
table = pa.table({name: pa.array(range(start, start + rows), pa.int64()) for start, name in enumerate("abcd")})


class TokenHandler(flight.ServerAuthHandler):
    def authenticate(self, outgoing, incoming):
        auth = flight.BasicAuth.deserialize(incoming.read())
        if (auth.username, auth.password) != (b"ada", b"secret"):
            raise flight.FlightUnauthenticatedError("wrong password")
        outgoing.write(b"token of ada")

    def is_valid(self, token):
        if token != b"token of ada":
            raise flight.FlightUnauthenticatedError("no such token")
        return b"ada"


class Server(flight.FlightServerBase):
    uploaded = {}

    def info(self, descriptor):
        endpoints = [flight.FlightEndpoint(str(part).encode(), []) for part in range(4)]
        return flight.FlightInfo(table.schema, descriptor, endpoints, 4 * rows, 4 * table.nbytes)

    def list_flights(self, context, criteria):
        yield self.info(flight.FlightDescriptor.for_path("numbers"))

    def get_flight_info(self, context, descriptor):
        return self.info(descriptor)

    def get_schema(self, context, descriptor):
        return flight.SchemaResult(table.schema)

    def do_get(self, context, ticket):
        name = ticket.ticket.decode()
        if name == "none":
            raise flight.FlightServerError("no such ticket")
        if name == "dies":
            return flight.GeneratorStream(table.schema, self.three_batches_then_death())
        if name.startswith("upload "):
            return flight.RecordBatchStream(self.uploaded[name[7:]])
        if name.startswith("bytes "):
            batches = int(name[6:]) // table.nbytes
            source = (table.to_batches()[0] for _ in range(batches))
            return flight.GeneratorStream(table.schema, source)
        return flight.RecordBatchStream(table)

    def three_batches_then_death(self):
        for _ in range(3):
            yield table.to_batches()[0]
        time.sleep(0.2)
        os._exit(1)

    def do_put(self, context, descriptor, reader, writer):
        batches = []
        for chunk in reader:
            batches.append(chunk.data)
            if chunk.app_metadata is not None:
                writer.write(b"took " + chunk.app_metadata.to_pybytes())
        self.uploaded[descriptor.path[0].decode()] = pa.Table.from_batches(batches, reader.schema)

    def do_exchange(self, context, descriptor, reader, writer):
        writer.begin(reader.schema)
        for chunk in reader:
            if chunk.data is None:
                writer.write_metadata(chunk.app_metadata)
            else:
                writer.write_with_metadata(chunk.data, chunk.app_metadata)

    def do_action(self, context, action):
        if action.type == "denied":
            raise flight.FlightUnauthorizedError("not for you")
        yield action.body.to_pybytes() * 2

    def list_actions(self, context):
        return [("repeat", "Says it twice.")]


options = {}
scheme = "grpc+tcp"
if sys.argv[1:] == ["login"]:
    options["auth_handler"] = TokenHandler()
elif len(sys.argv) > 1:
    ca, certificate, key = (open(path, "rb").read() for path in sys.argv[1:4])
    options = {"tls_certificates": [(certificate, key)], "verify_client": True, "root_certificates": ca}
    scheme = "grpc+tls"
server = Server(f"{scheme}://127.0.0.1:0", **options)
print(f"{scheme}://127.0.0.1:{server.port}", flush=True)
sys.stdin.read()
server.shutdown()

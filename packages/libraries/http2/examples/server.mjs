// Answers every request with its own body in upper case. Usage: node server.mjs [PORT]
import { Http2Server, readMessage } from '@topo-bench/http2';

async function respond(stream, headers) {
  const { body } = await readMessage(stream);
  stream.sendHeaders({ ':status': '200', 'content-type': 'text/plain' });
  stream.write([Buffer.from(`${headers[':path']}: ${body.toString().toUpperCase()}`)]);
  stream.end();
}

const server = new Http2Server((stream, headers) => {
  respond(stream, headers).catch((error) => console.error(error.message));
});
const port = await server.listen(Number(process.argv[2] ?? 0));
console.log(`http://127.0.0.1:${port}`);

// Sends one request and prints the answer. Usage: node client.mjs http://127.0.0.1:PORT
import { Http2Client, readMessage } from '@topo-bench/http2';

const client = new Http2Client(process.argv[2]);
const stream = client.request({ ':path': '/shout', 'content-type': 'text/plain' });
const answer = readMessage(stream);
stream.write([Buffer.from('hello')]);
stream.end();
const { headers, body } = await answer;
console.log(headers[':status'], body.toString());
await client.close();

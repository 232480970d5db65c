/**
 * Times crossings of a link from outside the process that delays them: a process of its own with its own clock, plain
 * TCP and one call per connection at a time. Reads `{ port, calls }` from standard input, each call `{ text, atMs }`,
 * and prints the µs from writing each call to the first byte of its answer, in order.
 */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

const { port, calls } = JSON.parse(await text(process.stdin));
const free = [];
const startMs = performance.now();
const elapsedUs = await Promise.all(calls.map((call) => timed(call)));
for (const socket of free) socket.destroy();
process.stdout.write(JSON.stringify(elapsedUs));

async function timed({ text: request, atMs }) {
  await new Promise((resolve) => setTimeout(resolve, startMs + atMs - performance.now()));
  const socket = free.pop() ?? (await connected());
  return new Promise((resolve, reject) => {
    socket.once('error', reject);
    const sentMs = performance.now();
    socket.write(request);
    socket.once('data', (answer) => {
      const us = (performance.now() - sentMs) * 1e3;
      socket.removeListener('error', reject);
      if (!answer.toString('latin1').startsWith('HTTP/1.1 200')) reject(new Error(`answered ${answer}`));
      free.push(socket);
      resolve(us);
    });
  });
}

function connected() {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => {
      socket.removeListener('error', reject);
      resolve(socket);
    });
    socket.once('error', reject);
  });
}

/**
 * The two processes of `round-trip-probe.ts`, by argument: `echo` sends back what it gets; `ask PORT` sends it a byte every few ms
 * and notes how long it took to come back.
 */
import { type AddressInfo, connect, createServer } from 'node:net';
import { stopOptimising } from '../src/generator/quiet-runtime.ts';
import type { ProbeMessage } from './round-trip-probe.ts';

/** Pauses are drawn evenly between the two, so that they keep no step with the arrivals of a load. */
const [shortestPauseMs, longestPauseMs] = [1, 7];
const rehearsals = 3000;
const capacity = 1_000_000;

process.on('disconnect', () => process.exit());
const [role, port] = process.argv.slice(2);
if (role === 'echo') echo();
else ask(Number(port));

function echo(): void {
  const server = createServer({ noDelay: true }, (socket) => {
    let rest = rehearsals;
    socket.on('data', (byte) => {
      socket.write(byte);
      if (--rest === 0) stopOptimising();
    });
    socket.on('error', () => socket.destroy());
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
}

function ask(port: number): void {
  const socket = connect({ host: '127.0.0.1', port, noDelay: true });
  const byte = Buffer.alloc(1);
  const tripsUs = new Float64Array(capacity);
  let trips = 0;
  let running = false;
  let rehearsed = 0;
  let sentMs = 0;
  const send = (): void => {
    sentMs = performance.now();
    socket.write(byte);
  };
  const pause = (): void => {
    if (running) setTimeout(send, shortestPauseMs + Math.random() * (longestPauseMs - shortestPauseMs));
  };
  socket.on('connect', send);
  socket.on('data', () => {
    const tripMs = performance.now() - sentMs;
    if (++rehearsed < rehearsals) {
      send();
    } else if (rehearsed === rehearsals) {
      stopOptimising();
      process.send?.('ready');
    } else {
      tripsUs[trips++ % capacity] = tripMs * 1e3;
      pause();
    }
  });
  process.on('message', (message: ProbeMessage) => {
    running = message === 'begin';
    if (running) {
      trips = 0;
      pause();
    } else {
      process.send?.(tripsUs.slice(0, Math.min(trips, capacity)));
    }
  });
}

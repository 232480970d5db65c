/**
 * The two processes of `round-trip-probe.ts`, by argument: `echo` sends back what it gets; `ask PORT` sends it a byte
 * every few ms and notes how long after the moment at which that was due it came back: what befell the sender's own
 * wake-up counts, as it does in a load.
 */
import { type AddressInfo, connect, createServer } from 'node:net';
import { stopOptimising } from '../src/generator/quiet-runtime.ts';
import type { ProbeMessage } from './round-trip-probe.ts';

/** Pauses are drawn evenly between the two, so that they keep no step with the arrivals of a load. */
const [minPauseMs, maxPauseMs] = [1, 7];
const rehearsals = 3000;
const capacity = 1_000_000;
const neverNotified = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));

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
  let dueMs = 0;
  const sendAfter = (pauseMs: number): void => {
    dueMs = performance.now() + pauseMs;
    // Blocked, as timers are not exact enough; nothing else is in flight.
    Atomics.wait(neverNotified, 0, 0, pauseMs);
    socket.write(byte);
  };
  const goOn = (): void => {
    if (running) sendAfter(minPauseMs + Math.random() * (maxPauseMs - minPauseMs));
  };
  socket.on('connect', () => sendAfter(0));
  socket.on('data', () => {
    const tripMs = performance.now() - dueMs;
    if (++rehearsed < rehearsals) {
      sendAfter(0);
    } else if (rehearsed === rehearsals) {
      stopOptimising();
      process.send?.('ready');
    } else {
      tripsUs[trips++ % capacity] = tripMs * 1e3;
      goOn();
    }
  });
  process.on('message', (message: ProbeMessage) => {
    running = message === 'begin';
    if (running) {
      trips = 0;
      goOn();
    } else {
      process.send?.(tripsUs.slice(0, Math.min(trips, capacity)));
    }
  });
}

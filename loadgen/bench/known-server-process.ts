/** The server process of `known-server.ts`: plain node:http, a timer for the delay, a blocked thread for the stall. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sharedClock } from '../src/shared-clock.ts';
import { type ServerLog, type ServerMessage, stallPeriodMs } from './known-server.ts';

const [delayMs, stallMs] = process.argv.slice(2).map(Number) as [number, number];
const emptyLog = (): ServerLog => ({ index: [], beginUs: [], endUs: [], busyUs: [] });
let log = emptyLog();
/** The timetable of stalls begins with the next request. */
let awaitsFirst = false;
const answer = Buffer.from('{"outcome":"completed"}');
/** Turns of the event loop without a request after which what piled up in a stall has been read. */
const idleTurns = 3;

const server = createServer((request, response) => {
  const row = log.beginUs.push(sharedClock.nowUs()) - 1;
  if (awaitsFirst && stallMs > 0) setTimeout(stall, stallPeriodMs / 2);
  awaitsFirst = false;
  let text = '';
  request.setEncoding('latin1');
  request.on('data', (chunk: string) => {
    text += chunk;
  });
  request.on('end', () => serve(row, text, response));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.on('disconnect', () => process.exit());
process.on('message', (message: ServerMessage) => {
  if (message === 'begin') {
    log = emptyLog();
    awaitsFirst = true;
  }
  process.send?.(log);
});

function serve(row: number, text: string, response: ServerResponse): void {
  log.index[row] = Number(/"id":"r\d+-(\d+)"/.exec(text)?.[1] ?? -1);
  if (delayMs > 0) setTimeout(() => end(row, response), delayMs);
  else end(row, response);
}

function end(row: number, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
  log.endUs[row] = sharedClock.nowUs();
}

function stall(): void {
  setTimeout(stall, stallPeriodMs);
  const fromUs = sharedClock.nowUs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
  whenCaughtUp(log.beginUs.length, 0, () => log.busyUs.push([fromUs, sharedClock.nowUs()]));
}

function whenCaughtUp(begun: number, turns: number, done: () => void): void {
  if (turns === idleTurns) done();
  else setImmediate(() => whenCaughtUp(log.beginUs.length, log.beginUs.length === begun ? turns + 1 : 0, done));
}

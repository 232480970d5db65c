/**
 * The server process of `known-server.ts`: plain node:http, a timer for the delay, a blocked thread for the stall. Before the first load that
 * counts its code is left as it is, and its log has its place: what it wrote down is then what it did.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { stopOptimising } from '../src/generator/quiet-runtime.ts';
import { sharedClock } from '../src/shared-clock.ts';
import { type ServerLog, type ServerMessage, stallPeriodMs } from './known-server.ts';

const [delayMs, stallMs] = process.argv.slice(2).map(Number) as [number, number];
const mostRequests = 500_000;
const [index, beginUs, endUs] = [new Int32Array(mostRequests), new Float64Array(mostRequests), new Float64Array(mostRequests)];
/** Requests since `begin`. */
let begun = 0;
let busyUs: ServerLog['busyUs'] = [];
/** The timetable of stalls begins with the first request of a load. */
let awaitsFirst = false;
let nextStall: NodeJS.Timeout | undefined;
const answer = Buffer.from('{"outcome":"completed"}');
/** Turns of the event loop without a request after which what piled up in a stall has been read. */
const idleTurns = 3;

const server = createServer((request, response) => {
  const row = begun++ % mostRequests;
  beginUs[row] = sharedClock.nowUs();
  if (awaitsFirst && stallMs > 0) nextStall = setTimeout(stall, stallPeriodMs / 2);
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
  clearTimeout(nextStall);
  if (message === 'begin') {
    stopOptimising();
    begun = 0;
    busyUs = [];
    awaitsFirst = true;
  }
  const rows = Math.min(begun, mostRequests);
  process.send?.({ index: index.slice(0, rows), beginUs: beginUs.slice(0, rows), endUs: endUs.slice(0, rows), busyUs });
});

function serve(row: number, text: string, response: ServerResponse): void {
  index[row] = Number(/"id":"r\d+-(\d+)"/.exec(text)?.[1] ?? -1);
  if (delayMs > 0) setTimeout(() => end(row, response), delayMs);
  else end(row, response);
}

function end(row: number, response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer);
  endUs[row] = sharedClock.nowUs();
}

function stall(): void {
  nextStall = setTimeout(stall, stallPeriodMs);
  const fromUs = sharedClock.nowUs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
  whenCaughtUp(begun, 0, () => busyUs.push([fromUs, sharedClock.nowUs()]));
}

function whenCaughtUp(before: number, turns: number, done: () => void): void {
  if (turns === idleTurns) done();
  else setImmediate(() => whenCaughtUp(begun, begun === before ? turns + 1 : 0, done));
}

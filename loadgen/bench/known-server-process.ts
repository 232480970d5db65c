/**
 * The server process of `known-server.ts`: HTTP/1.1 as far as the bench speaks it, a timer for the delay, a blocked
 * thread for the stall. Its log has its place, and before the first load that counts its code is left as it is: no
 * compiler and no collection of garbage comes between what happens and what is written down.
 */
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { hostClock } from '@topo-bench/host';
import { stopOptimising } from '../src/generator/quiet-runtime.ts';
import { type ServerLog, type ServerMessage, stallPeriodMs } from './known-server.ts';

const [delayMs, stallMs] = process.argv.slice(2, 4).map(Number) as [number, number];
const ordinary = process.argv[4] === 'ordinary';
const chunkBytes = Number(process.argv[5] ?? 0);
const maxRequests = 500_000;
const [index, beginUs, endUs] = [
  new Int32Array(maxRequests),
  new Float64Array(maxRequests),
  new Float64Array(maxRequests),
];
/** Requests since `begin`. */
let begun = 0;
let busyUs: ServerLog['busyUs'] = [];
/** The timetable of stalls begins with the first request of a load. */
let awaitsFirst = false;
let nextStall: NodeJS.Timeout | undefined;
const body = '{"outcome":"completed"}';
const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: keep-alive';
const chunked = `transfer-encoding: chunked\r\n\r\n${chunkBytes.toString(16)}\r\n${' '.repeat(chunkBytes)}\r\n0\r\n\r\n`;
const answer = Buffer.from(`${head}\r\n${chunkBytes > 0 ? chunked : `content-length: ${body.length}\r\n\r\n${body}`}`);
/** Turns of the event loop without a request after which what piled up in a stall has been read. */
const idleTurns = 3;

const server = ordinary ? ordinaryServer() : stillServer();
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));

/** An ordinary one. */
function ordinaryServer(): Server {
  return createHttpServer((request, response) => {
    const row = begin();
    request.resume().on('end', () => {
      const finish = (): void => {
        response.setHeader('content-type', 'application/json').end(body);
        endUs[row] = hostClock.nowUs();
      };
      if (delayMs > 0) setTimeout(finish, delayMs);
      else finish();
    });
    // The driver's own requests are known by their ids, as on the other server.
    request.once('data', (piece: Buffer) => {
      index[row] = indexOf(piece.toString('latin1'));
    });
  });
}

/**
 * Stamps a request before any of it is parsed: HTTP servers that parse first have begun before they can write it down.
 */
function stillServer(): Server {
  return createServer({ noDelay: true }, (socket) => {
    let text = '';
    let row = -1;
    socket.setEncoding('latin1');
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: string) => {
      if (text === '') row = begin();
      text += piece;
      if (!isWhole(text)) return;
      serve(row, text, socket);
      text = '';
    });
  });
}

process.on('disconnect', () => process.exit());
process.on('message', (message: ServerMessage) => {
  clearTimeout(nextStall);
  if (message === 'begin') {
    if (!ordinary) stopOptimising();
    begun = 0;
    busyUs = [];
    awaitsFirst = true;
  }
  // A tool that ends abandons the requests that wait for their answer: it does not count them.
  const ended = (_: number, row: number): boolean => row < begun && !Number.isNaN(endUs[row]);
  process.send?.({ index: index.filter(ended), beginUs: beginUs.filter(ended), endUs: endUs.filter(ended), busyUs });
});

function begin(): number {
  const row = begun++ % maxRequests;
  beginUs[row] = hostClock.nowUs();
  endUs[row] = Number.NaN;
  if (awaitsFirst && stallMs > 0) nextStall = setTimeout(stall, stallPeriodMs / 2);
  awaitsFirst = false;
  return row;
}

/** Clients of the bench send one request at a time on a connection, with a length where there is a body. */
function isWhole(text: string): boolean {
  const end = text.indexOf('\r\n\r\n');
  return end >= 0 && text.length >= end + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
}

function indexOf(text: string): number {
  return Number(/"id":"r\d+-(\d+)"/.exec(text)?.[1] ?? -1);
}

function serve(row: number, text: string, socket: Socket): void {
  index[row] = indexOf(text);
  if (delayMs > 0) setTimeout(() => end(row, socket), delayMs);
  else end(row, socket);
}

function end(row: number, socket: Socket): void {
  socket.write(answer);
  endUs[row] = hostClock.nowUs();
}

function stall(): void {
  nextStall = setTimeout(stall, stallPeriodMs);
  const fromUs = hostClock.nowUs();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, stallMs);
  whenCaughtUp(begun, 0, () => busyUs.push([fromUs, hostClock.nowUs()]));
}

function whenCaughtUp(before: number, turns: number, done: () => void): void {
  if (turns === idleTurns) done();
  else setImmediate(() => whenCaughtUp(begun, begun === before ? turns + 1 : 0, done));
}

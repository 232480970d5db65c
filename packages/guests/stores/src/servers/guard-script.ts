/**
 * The guard of a store's server: a small Node.js process between us and the server, so that no server outlives us. Its
 * standard input is the lifeline. When it closes, the guard ends the server, removes the data folder, and exits.
 */

/**
 * Source of the guard, for `node -e`; the only argument is the folder, as JSON. It reads one command a line and answers
 * each with one line; `end` is a `ChildEnd`:
 * `{"run":…}` → `{"exit":end}` once the command has ended,
 * `{"serve":…}` → `{"pid":…}`, and `{"ended":end}` at its end; alone if it cannot be started,
 * `{"end":signal}` → `{"stopped":true}` once no server runs, after its `ended`; its folder stays, for another `serve`.
 * A command is `{ command, args, uid?, gid?, env, log, stopSignal? }`.
 */
export const guardScript = `
const { spawn } = require('node:child_process');
const { openSync, closeSync, rmSync } = require('node:fs');
const { folder } = JSON.parse(process.argv[1]);
const graceMs = 8000;
let child, stopSignal, stopping = false, rest = '';
process.stdout.on('error', () => {});
const tell = (message) => process.stdout.write(JSON.stringify(message) + '\\n');

function start({ command, args, uid, gid, env, log, stopSignal: signal }, onStart, onEnd) {
  stopSignal = signal || 'SIGTERM';
  const out = openSync(log, 'a');
  // In a process group of its own, with this guard outside, so that a group can be ended as one.
  const started = spawn(command, args, { uid, gid, env, cwd: folder, detached: true, stdio: ['ignore', out, out] });
  closeSync(out);
  child = started;
  let ended = false;
  const end = (result) => {
    if (ended) return;
    ended = true;
    if (child === started) child = undefined;
    // Processes that it has started do not outlive it.
    try { process.kill(-started.pid, 'SIGKILL'); } catch {}
    if (stopping) leave(); else onEnd(result);
  };
  started.once('spawn', () => onStart(started.pid));
  started.once('error', (error) => end({ exitCode: null, signal: null, error: { message: error.message } }));
  started.once('exit', (exitCode, signal) => end({ exitCode, signal }));
}

function end(signal) {
  const ending = child;
  if (!ending) return tell({ stopped: true });
  ending.once('exit', () => tell({ stopped: true }));
  try { ending.kill(signal); } catch {}
  setTimeout(() => { if (child === ending) kill('SIGKILL'); }, graceMs).unref();
}

function handle({ run, serve, end: signal }) {
  if (run) start(run, () => {}, (exit) => tell({ exit }));
  if (signal) end(signal);
  if (serve) start(serve, (pid) => tell({ pid }), (ended) => tell({ ended }));
}

function kill(signal) {
  if (!child) return;
  try { process.kill(-child.pid, signal); } catch { try { child.kill(signal); } catch {} }
}

function leave() {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  process.exit(0);
}

function stop() {
  if (stopping) return;
  stopping = true;
  if (!child) return leave();
  try { child.kill(stopSignal); } catch {}
  setTimeout(() => kill('SIGKILL'), graceMs);
}

process.stdin.setEncoding('utf8').on('data', (text) => {
  const lines = (rest + text).split('\\n');
  rest = lines.pop();
  for (const line of lines) handle(JSON.parse(line));
});
for (const event of ['end', 'close', 'error']) process.stdin.on(event, stop);
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
`;

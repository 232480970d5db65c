/**
 * Loaded by every Node.js program of a profiled deployment, before its own code (`--require` in NODE_OPTIONS). It takes
 * CPU profiles of its thread by a session of the inspector within the process: no port is opened. It serves the runner
 * over a Unix socket that only its user can open, and never keeps the program alive.
 *
 * Sampling begins with the program, and earlier samples are dropped. V8 knows which functions it has inlined only where
 * it optimized them while it took samples; their time would be that of their caller.
 */
'use strict';
const { readFileSync } = require('node:fs');
const { connect } = require('node:net');
const { threadId } = require('node:worker_threads');

const { TOPO_BENCH_PROFILE_SOCKET: path, TOPO_BENCH_PROFILE_ROLE: role } = process.env;
/** As `node --cpu-prof`: more samples slow the program down. */
const intervalUs = 1000;

if (path) serve();

function serve() {
  const socket = connect(path);
  socket.unref();
  socket.on('error', () => {});
  socket.setEncoding('utf8');
  const session = sampling();
  let from;
  socket.on('data', (text) => {
    for (const command of text.split('\n')) {
      if (command === 'start') {
        from = { atUs: nowUs(), cpuUs: threadCpuUs() };
        say({ started: session !== undefined });
      }
      if (command === 'stop') {
        const cpuUs = threadCpuUs() - from.cpuUs || undefined;
        const profile = result(session, 'Profiler.stop')?.profile;
        say({ profile: profile && since(from.atUs, profile), cpuUs });
        result(session, 'Profiler.start');
      }
    }
  });
  say({ pid: process.pid, threadId, role, folder: process.cwd(), script: process.argv[1] ?? '' });

  function say(message) {
    socket.write(`${JSON.stringify(message)}\n`);
  }
}

/** A session that takes samples; undefined where the program may not use the inspector. */
function sampling() {
  try {
    const { Session } = require('node:inspector');
    const session = new Session();
    session.connect();
    result(session, 'Profiler.enable');
    result(session, 'Profiler.setSamplingInterval', { interval: intervalUs });
    result(session, 'Profiler.start');
    return session;
  } catch {
    return undefined;
  }
}

/** The result of a method of the profiler, which calls back before `post` returns. Undefined after a failure. */
function result(session, method, parameters = {}) {
  let found;
  session.post(method, parameters, (_, answer) => {
    found = answer;
  });
  return found;
}

/** Without the samples before that time of the monotonic clock, which V8 uses too. */
function since(atUs, { nodes, samples, timeDeltas, startTime }) {
  let timeUs = startTime;
  const first = timeDeltas.findIndex((deltaUs) => {
    timeUs += deltaUs;
    return timeUs >= atUs;
  });
  const kept = first < 0 ? samples.length : first;
  return { nodes, samples: samples.slice(kept), timeDeltas: timeDeltas.slice(kept) };
}

function nowUs() {
  return Number(process.hrtime.bigint() / 1000n);
}

/** CPU time of this thread; NaN where the system does not count it (proc_pid_schedstat, in ns). */
function threadCpuUs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e3;
  } catch {
    return Number.NaN;
  }
}

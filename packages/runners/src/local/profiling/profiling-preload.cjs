/**
 * Loaded by every Node.js program of a profiled deployment, before its own code (`--require` in NODE_OPTIONS). It takes
 * CPU profiles of its thread by a session of the inspector within the process: no port is opened. It serves the runner
 * over a Unix socket that only its user can open, and never keeps the program alive.
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
  let session;
  let cpuBeforeUs;
  const say = (message) => socket.write(`${JSON.stringify(message)}\n`);
  // Both methods call back before `post` returns.
  const post = (method, parameters, then = () => {}) =>
    session.post(method, parameters, (error, result) => {
      if (error) say({ error: error.message });
      else then(result);
    });
  socket.on('data', (text) => {
    for (const command of text.split('\n')) {
      if (command === 'start') start();
      if (command === 'stop' && session)
        post('Profiler.stop', {}, ({ profile }) => say({ profile, cpuUs: threadCpuUs() - cpuBeforeUs || undefined }));
    }
  });
  say({ pid: process.pid, threadId, role, folder: process.cwd(), script: process.argv[1] ?? '' });

  function start() {
    try {
      if (!session) {
        const { Session } = require('node:inspector');
        session = new Session();
        session.connect();
        post('Profiler.enable');
        post('Profiler.setSamplingInterval', { interval: intervalUs });
      }
      post('Profiler.start', {}, () => say({ started: true }));
      cpuBeforeUs = threadCpuUs();
    } catch (error) {
      say({ error: error.message });
    }
  }
}

/** CPU time of this thread; NaN where the system does not count it (proc_pid_schedstat, in ns). */
function threadCpuUs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[0]) / 1e3;
  } catch {
    return Number.NaN;
  }
}

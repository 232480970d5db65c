/**
 * Starts a role from `service-code.cjs` with V8's code cache, so that nothing is parsed twice on a machine. The cache is
 * made by the first process of its sort (first two arguments: kind and framework, since each runs other functions), kept
 * per build and Node.js version beside this file or in the user's cache folder, and made again when V8 refuses it.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const code = path.join(__dirname, 'service-code.cjs');
const sort = process.argv.slice(2, 4).join('-');
// V8 compares the length of the source only: the build's hash must be part of the name.
const cacheName = /^[\w-]+$/.test(sort) && `BUILD_ID-${process.version}-${process.arch}-${sort}.bin`;
const settledMs = 1500;

const cachedData = cacheName ? cached() : undefined;
const script = new Script(fs.readFileSync(code, 'latin1'), { filename: code, cachedData });
if (cacheName && (cachedData === undefined || script.cachedDataRejected)) keepWhenSettled();
script.runInThisContext()(exports, require, module, code, __dirname);

function cached() {
  for (const folder of cacheFolders()) {
    try {
      return fs.readFileSync(path.join(folder, cacheName));
    } catch {}
  }
  return undefined;
}

function* cacheFolders() {
  yield path.join(__dirname, 'code-cache');
  // Only a folder that nobody else can write to: what is in it gets executed.
  const home = process.env.XDG_CACHE_HOME || path.join(require('node:os').homedir(), '.cache');
  yield path.join(home, 'topo-bench', 'code-cache');
}

/** Once the role has started and answered (V8 compiles at first call), or at its end if that comes first. */
function keepWhenSettled() {
  const startedMs = Date.now();
  const timer = setTimeout(keep, settledMs);
  timer.unref();
  process.once('exit', keep);

  function keep() {
    clearTimeout(timer);
    process.removeListener('exit', keep);
    for (const folder of cacheFolders()) if (store(folder, startedMs)) return;
  }
}

/** @returns false when the folder cannot be written */
function store(folder, startedMs) {
  const file = path.join(folder, cacheName);
  const temporary = `${file}.${process.pid}`;
  try {
    // A sister process, started with this one, has done it.
    if ((fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedMs) return true;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    fs.writeFileSync(temporary, script.createCachedData());
    fs.renameSync(temporary, file);
    return true;
  } catch {
    fs.rmSync(temporary, { force: true });
    return false;
  }
}

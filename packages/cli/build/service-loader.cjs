/**
 * Starts a role from the files in `service/` with V8's code cache: each script is compiled once per machine. The code
 * that all roles need is one script. Frameworks and other parts are scripts of their own, loaded on demand.
 *
 * The first process of each sort writes the cache soon after its start. A sort is the first two arguments, kind and
 * framework: each sort runs different functions. The cache contains the functions of a start, not of a load.
 *
 * There is one cache per build and Node.js version, next to this file or in the user's cache folder. It is rewritten
 * when V8 rejects it. Cached code is executed: folders and files that another user owns or can write are ignored. A
 * role starts without them.
 */
'use strict';
const fs = require('node:fs');
const { Script } = require('node:vm');

const [kind, framework] = process.argv.slice(2, 4);
const sort = `${kind}-${framework}`;
// V8 compares only the length of the source: the name must contain the hash of the build.
const cacheName = /^\w[\w-]*$/.test(sort) && `BUILD_ID-${process.version}-${process.arch}/${sort}`;
/** Time after ready within which a role answers its first health check, even among a hundred roles. */
const settledMs = 500;
const startedMs = Date.now();

const loaded = new Map();
/** Whether a folder is safe to use, by path. */
const safeFolders = new Map();
/** Scripts by file that had no usable code cache. */
const uncached = new Map();
/** Functions of the files read so far, by name of part. */
const parts = {};
let started = false;
evaluate('core');
requirePart('./entry.js').ready.then(() => {
  started = true;
  if (uncached.size > 0) keepWhenSettled();
});

/** `require` for the code: parts by name, other modules from Node.js. */
function requirePart(name) {
  if (!name.startsWith('./')) return require(name);
  let module = loaded.get(name);
  if (!module) {
    module = { exports: {} };
    loaded.set(name, module);
    if (!(name in parts)) evaluate(name.slice(2, -'.js'.length));
    parts[name](module.exports, requirePart, module);
  }
  return module.exports;
}

function evaluate(name) {
  const filename = `${__dirname}/service/${name}.cjs`;
  const cachedData = cacheName ? readCache(name) : undefined;
  // One byte per character: V8 takes the file without conversion.
  const script = new Script(fs.readFileSync(filename, 'latin1'), { filename, cachedData });
  if (cacheName && (cachedData === undefined || script.cachedDataRejected)) {
    uncached.set(name, script);
    // Parts loaded later, such as the client for other roles.
    if (started) keepWhenSettled();
  }
  Object.assign(parts, script.runInThisContext());
}

function readCache(file) {
  for (const folder of cacheFolders()) {
    try {
      const path = `${folder}/${cacheName}/${file}.bin`;
      const opened = fs.openSync(path);
      try {
        // Checks the open file, not its name: the file cannot be swapped between check and read.
        if (isSafe(path, fs.fstatSync(opened))) return fs.readFileSync(opened);
      } finally {
        fs.closeSync(opened);
      }
    } catch {}
  }
  return undefined;
}

/** The possible folders of a cache, without those that another user could write. */
function* cacheFolders() {
  const installed = `${__dirname}/code-cache`;
  if (isSafeFolder(installed)) yield installed;
  const home = process.env.XDG_CACHE_HOME || `${require('node:os').homedir()}/.cache`;
  const own = `${home}/topo-bench/code-cache`;
  if (isSafeFolder(own)) yield own;
}

/** @returns true also for a folder that does not exist yet */
function isSafeFolder(folder) {
  let safe = safeFolders.get(folder);
  if (safe === undefined) {
    const levels = [folder, ...cacheName.split('/').map((_, i, parts) => [folder, ...parts.slice(0, i + 1)].join('/'))];
    safe = levels.every((level) => isSafe(level, statOf(level)));
    safeFolders.set(folder, safe);
  }
  return safe;
}

/** Undefined if the path does not exist or is inaccessible. */
function statOf(path) {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSafe(path, stat) {
  const uid = process.getuid?.();
  // The system has no owners and modes, or the file does not exist.
  if (uid === undefined || !stat) return true;
  // Root can change the code anyway.
  const foreign = stat.uid !== uid && stat.uid !== 0;
  const open = (stat.mode & 0o022) !== 0;
  if (!foreign && !open) return true;
  const why = foreign
    ? `it belongs to the user ${stat.uid}`
    : `others can write to it (mode ${(stat.mode & 0o777).toString(8)})`;
  process.stderr.write(`note: the code cache ${path} is not used: ${why}; remove it, and it is made again\n`);
  return false;
}

/**
 * Delays the write: V8 compiles functions at their first call. A role that exits earlier stores only the functions run
 * so far.
 */
function keepWhenSettled() {
  const timer = setTimeout(keep, settledMs);
  timer.unref();
  process.once('exit', keep);

  function keep() {
    clearTimeout(timer);
    process.removeListener('exit', keep);
    for (const [file, script] of uncached) {
      for (const folder of cacheFolders()) if (store(`${folder}/${cacheName}`, file, script)) break;
    }
    uncached.clear();
  }
}

/** @returns false when the folder is not writable */
function store(folder, file, script) {
  const target = `${folder}/${file}.bin`;
  const temporary = `${target}.${process.pid}`;
  try {
    // Another process of the same start has already written it.
    if ((fs.statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedMs) return true;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Renamed into place: no process reads a partial file.
    fs.writeFileSync(temporary, script.createCachedData(), { mode: 0o600 });
    fs.renameSync(temporary, target);
    return true;
  } catch {
    try {
      fs.rmSync(temporary, { force: true });
    } catch {}
    return false;
  }
}

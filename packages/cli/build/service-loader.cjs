/**
 * Starts a role from the files in `service/` with V8's code cache, so that nothing is parsed twice on a machine. What
 * all roles need is one script; a framework and the rest are scripts of their own, loaded when they are needed. The
 * cache is made by the first process of its sort (first two arguments: kind and framework, since each runs other
 * functions) as soon as that has started: it holds what a start runs, and nothing of a load. It is kept per build and
 * Node.js version next to this file or in the user's cache folder, and made again when V8 refuses it. What is in the
 * cache gets executed: folders and files that another user owns or can write to are not used, and a role starts without
 * them.
 */
'use strict';
const fs = require('node:fs');
const { Script } = require('node:vm');

const [kind, framework] = process.argv.slice(2, 4);
const sort = `${kind}-${framework}`;
// V8 compares only the length of the source: the build's hash must be part of the name.
const cacheName = /^\w[\w-]*$/.test(sort) && `BUILD_ID-${process.version}-${process.arch}/${sort}`;
/** Once ready, a role answers its first health check within that time, also one of a hundred. */
const settledMs = 500;
const startedMs = Date.now();

const loaded = new Map();
/** Whether a folder may be used, by path. */
const safeFolders = new Map();
/** Scripts by file, of which no code cache was there or good. */
const uncached = new Map();
/** Functions by name of part, of the files read so far. */
const parts = {};
let started = false;
evaluate('core');
requirePart('./entry.js').ready.then(() => {
  started = true;
  if (uncached.size > 0) keepWhenSettled();
});

/** `require` of the code: parts of it by their names, all else from Node.js. */
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
  // One byte per character: V8 takes it as it is.
  const script = new Script(fs.readFileSync(filename, 'latin1'), { filename, cachedData });
  if (cacheName && (cachedData === undefined || script.cachedDataRejected)) {
    uncached.set(name, script);
    // What is loaded later, such as the client for other roles.
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
        // The open file and not its name: the two cannot be exchanged in between.
        if (isSafe(path, fs.fstatSync(opened))) return fs.readFileSync(opened);
      } finally {
        fs.closeSync(opened);
      }
    } catch {}
  }
  return undefined;
}

/** The places of a cache, without those that another user could have filled. */
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

/** Undefined for what is not there, or cannot be reached. */
function statOf(path) {
  try {
    return fs.statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function isSafe(path, stat) {
  const uid = process.getuid?.();
  // A system without owners and modes, or nothing there.
  if (uid === undefined || !stat) return true;
  // Root can change the code itself.
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
 * A role that ends before has nothing to keep but what it has run so far. V8 compiles functions at their first call.
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

/** @returns false when the folder cannot be written */
function store(folder, file, script) {
  const target = `${folder}/${file}.bin`;
  const temporary = `${target}.${process.pid}`;
  try {
    // A sister process that was started with this one has done it.
    if ((fs.statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedMs) return true;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Renamed into place: no process reads half of it.
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

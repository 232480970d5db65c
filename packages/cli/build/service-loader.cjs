/**
 * Starts a role from the files in `service/` with V8's code cache, so that nothing is parsed twice on a machine. What roles of its sort need
 * at once is one script: code of all roles, of the framework and, where a role decides, of the rules; the rest loads when it is needed. The cache
 * is made by the first process of its sort (first two arguments: kind and framework, since each runs other functions), kept
 * per build and Node.js version beside this file or in the user's cache folder, and made again when V8 refuses it.
 */
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');

const [kind, framework] = process.argv.slice(2, 4);
const sort = `${kind}-${framework}`;
/** Names of files by what needs them. */
const first = FIRST_FILES;
const atStart = ['core'];
if (Object.hasOwn(first.servers, framework)) atStart.push(first.servers[framework]);
if (kind !== 'gateway' && kind !== 'service') atStart.push(first.rules);

// Where V8 keeps a text: more than 128 KiB not among its young objects, which are collected when they fill 1 MiB, yet counted with them;
// more than about 1007 KiB (Node.js's EXTERN_APEX) outside its heap. A start that stays below both collects nothing.
const outsideYoungSpace = 132 * 1024;
const outsideHeap = 1024 * 1024;

// V8 compares only the length of the source: the build's hash must be part of the name.
const cacheName = /^\w[\w-]*$/.test(sort) && path.join(`BUILD_ID-${process.version}-${process.arch}`, sort);
const settledMs = 1500;
const startedMs = Date.now();

const loaded = new Map();
/** Scripts by file, of which no code cache was there or good. */
const uncached = new Map();
/** Functions by name of part, of the files read so far. */
const parts = {};
evaluate('core', atStart);
requirePart('./entry.js');

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

/** @param files what is evaluated under the name of the first */
function evaluate(name, files = [name]) {
  const filename = path.join(__dirname, 'service', `${name}.cjs`);
  const cachedData = cacheName ? readCache(name) : undefined;
  const script = new Script(textOf(files), { filename, cachedData });
  if (cacheName && (cachedData === undefined || script.cachedDataRejected)) {
    if (uncached.size === 0) keepWhenSettled();
    uncached.set(name, script);
  }
  Object.assign(parts, ...script.runInThisContext());
}

/** An array of what is in the files. */
function textOf(files) {
  const pieces = [];
  let bytes = 1;
  for (const file of files) {
    const code = fs.readFileSync(path.join(__dirname, 'service', `${file}.cjs`));
    pieces.push(Buffer.from(pieces.length === 0 ? '[' : ','), code);
    bytes += 1 + code.length;
  }
  const room = bytes <= outsideYoungSpace ? outsideYoungSpace : outsideHeap;
  pieces.push(Buffer.from(']'), Buffer.alloc(Math.max(0, room - bytes), ' '));
  return Buffer.concat(pieces).latin1Slice();
}

function readCache(file) {
  for (const folder of cacheFolders()) {
    try {
      return fs.readFileSync(path.join(folder, cacheName, `${file}.bin`));
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
  const timer = setTimeout(keep, settledMs);
  timer.unref();
  process.once('exit', keep);

  function keep() {
    clearTimeout(timer);
    process.removeListener('exit', keep);
    for (const [file, script] of uncached) {
      for (const folder of cacheFolders()) if (store(path.join(folder, cacheName), file, script)) break;
    }
    uncached.clear();
  }
}

/** @returns false when the folder cannot be written */
function store(folder, file, script) {
  const target = path.join(folder, `${file}.bin`);
  const temporary = `${target}.${process.pid}`;
  try {
    // A sister process that was started with this one has done it.
    if ((fs.statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedMs) return true;
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    // Renamed into place: nobody ever reads half of it.
    fs.writeFileSync(temporary, script.createCachedData());
    fs.renameSync(temporary, target);
    return true;
  } catch {
    try {
      fs.rmSync(temporary, { force: true });
    } catch {}
    return false;
  }
}

/**
 * Applies each change of list.mjs to a copy of the repository and runs its tests there: they must fail. The working
 * tree is never changed, and the copies are removed at the end, also after an interrupt.
 *
 *   node .ci/mutations/run.mjs [part of a path or title]...
 */
import { execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { mutations } from './list.mjs';

/** A change that keeps tests from ending is not caught. Without a change, all of the tests run at once. */
const timeoutMs = 120_000;
const allTimeoutMs = 1_200_000;
const root = resolve(import.meta.dirname, '../..');
/** Two copies are tested at a time: one file of tests keeps one core busy. */
const copies = [1, 2].map(() => ({ folder: mkdtempSync(join(tmpdir(), 'topo-bench-mutations-')) }));

process.on('exit', () => {
  for (const { folder } of copies) rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    for (const { tests } of copies) if (tests) process.kill(-tests.pid, 'SIGKILL');
    process.exit(1);
  });
}

const parts = process.argv.slice(2);
const selected = mutations.flatMap(({ file, tests, changes }) =>
  changes
    .map(([title, text, replacement]) => ({ file, tests, title, text, replacement }))
    .filter(({ title }) => parts.length === 0 || parts.some((part) => `${file} ${title}`.includes(part))),
);
const misplaced = selected.filter(({ file, text }) => readFileSync(join(root, file), 'utf8').split(text).length !== 2);
for (const { file, title, text } of misplaced) console.log(`not found exactly once in ${file} (${title}): ${text}`);
if (misplaced.length > 0 || selected.length === 0) process.exit(1);

for (const { folder } of copies) copyRepository(folder);
const unchanged = await run(copies[0], [...new Set(selected.flatMap(({ tests }) => tests))], allTimeoutMs);
if (unchanged !== 'survived') {
  console.log(`tests fail without any change: ${unchanged}`);
  process.exit(1);
}

const counts = {};
const left = [...selected];
await Promise.all(copies.map(tryChanges));
console.log(`${counts.caught ?? 0} of ${selected.length} changes caught`);
process.exit(counts.caught === selected.length ? 0 : 1);

async function tryChanges(copy) {
  for (let change = left.shift(); change; change = left.shift()) {
    const { file, tests, title, text, replacement } = change;
    const path = join(copy.folder, file);
    const original = readFileSync(path, 'utf8');
    const started = Date.now();
    writeFileSync(path, original.split(text).join(replacement));
    const result = await run(copy, tests);
    writeFileSync(path, original);
    counts[result] = (counts[result] ?? 0) + 1;
    console.log(`${result.padEnd(9)} ${((Date.now() - started) / 1000).toFixed(1).padStart(5)} s  ${file}: ${title}`);
  }
}

/** All files that Git tracks or would add. Packages of the workspace are those of the copy. */
function copyRepository(copy) {
  const options = { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 };
  const files = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], options)
    .split('\0')
    .filter(Boolean);
  for (const file of files) cpSync(join(root, file), join(copy, file));
  const parents = ['packages', 'packages/guests', 'packages/libraries'];
  const packages = parents.flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`));
  for (const folder of ['', 'loadgen', ...packages]) {
    linkModules(copy, join(root, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  }
}

function linkModules(copy, from, to) {
  for (const name of entriesOf(from)) {
    if (name === '.vite' || name === '.cache') continue;
    if (name === '@topo-bench') linkModules(copy, join(from, name), join(to, name));
    else link(copy, join(from, name), join(to, name));
  }
}

function link(copy, from, to) {
  const real = realpathSync(from);
  const inside = relative(root, real);
  const isOwn = !inside.startsWith('..') && !inside.split('/').includes('node_modules');
  mkdirSync(dirname(to), { recursive: true });
  symlinkSync(isOwn ? join(copy, inside) : real, to);
}

function entriesOf(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** @returns caught by a failed test, survived, or the reason for neither */
async function run(copy, files, limitMs = timeoutMs) {
  const report = join(copy.folder, 'report.json');
  rmSync(report, { force: true });
  const args = [
    'run',
    '--config',
    'vitest.all.config.ts',
    '--bail',
    '1',
    '--reporter',
    'json',
    '--outputFile',
    report,
    ...files,
  ];
  // A group of its own: an interrupt of the terminal reaches this process first.
  const options = { cwd: copy.folder, stdio: 'ignore', detached: true };
  const tests = spawn(join(copy.folder, 'node_modules/.bin/vitest'), args, options);
  copy.tests = tests;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill(-tests.pid, 'SIGKILL');
  }, limitMs);
  const code = await new Promise((resolve) => tests.once('close', resolve));
  clearTimeout(timer);
  copy.tests = undefined;
  if (isLate) return 'timed out';
  if (code === 0) return 'survived';
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .some(({ status }) => status === 'failed');
  return failed ? 'caught' : 'no test ran';
}

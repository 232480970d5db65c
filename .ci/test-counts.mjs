/**
 * Counts of test reports in vitest's JSON form. A report `NAME-again.json` next to `NAME.json` has a second run of the
 * files that failed in the first.
 *
 *   test-counts.mjs --failed-files REPORT       paths of the files to run again: none if more than five failed
 *   test-counts.mjs --files-with-skips REPORT   paths of the files of which a test was skipped
 *   test-counts.mjs FAILED_STEPS REPORT...      minutes per folder, slowest files, counts, closing line
 *
 * The last report that has a file gives its counts, unless the file failed in an earlier one. The exit code is 1 if a
 * test failed or was skipped, or a folder was above its budget. With STRICT=1, a file that passed only alone fails too.
 */
import { existsSync, readFileSync } from 'node:fs';
import { basename, relative } from 'node:path';

/** Minutes of tests that a folder may take on two cores, about twice what it takes. */
const budgets = JSON.parse(readFileSync(new URL('budgets.json', import.meta.url), 'utf8'));

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const [first, ...reports] = process.argv.slice(2);

if (first === '--failed-files') {
  const failed = read(reports[0]).testResults.filter(({ status }) => status === 'failed');
  // More than a few are no accident of the machine.
  if (failed.length <= 5) console.log(failed.map(pathOf).join(' '));
} else if (first === '--files-with-skips') {
  console.log(read(reports[0]).testResults.filter(hasSkips).map(pathOf).join(' '));
} else {
  const runs = reports.map(filesOf);
  const minutes = printMinutes(runs.flatMap((run) => [...run.values()]));
  const counts = { passed: 0, failed: Number(first) + minutes, skipped: 0 };
  counts.failed += runs.filter((run) => run.size === 0).length;
  for (const [at, run] of runs.entries()) {
    const own = { passed: 0, failed: 0, skipped: 0 };
    for (const file of run.values()) add(own, file);
    console.log(`${basename(reports[at], '.json')}: ${lineOf(own)}`);
  }
  const last = process.env.STRICT ? runs.flatMap((run) => [...run.values()]) : [...union(runs).values()];
  for (const file of last) add(counts, file);
  const alone = runs.flatMap((run) => [...run.values()]).filter(({ passedOnlyAlone }) => passedOnlyAlone);
  for (const { path, titles } of alone) console.log(`passed only alone: ${path}: ${titles.join('; ')}`);
  if (process.env.STRICT) counts.failed += alone.length;
  if (counts.skipped > 0) console.log('a test was skipped: install what it names');
  console.log(lineOf(counts));
  process.exitCode = counts.failed > 0 || counts.skipped > 0 || counts.passed === 0 ? 1 : 0;
}

function lineOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`;
}

function pathOf({ name }) {
  return relative('', name);
}

function hasSkips({ assertionResults }) {
  return assertionResults.some(({ status }) => status !== 'passed' && status !== 'failed');
}

/** Results by path, with the second run of a file in place of its first. Empty if the run left no report. */
function filesOf(report) {
  const files = new Map();
  if (!existsSync(report)) return files;
  const again = report.replace(/\.json$/, '-again.json');
  const repeated = existsSync(again) ? read(again).testResults : [];
  for (const file of read(report).testResults) {
    const second = repeated.find(({ name }) => name === file.name);
    const titles = file.assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    const passedOnlyAlone = file.status === 'failed' && second?.status === 'passed';
    files.set(pathOf(file), { ...(second ?? file), path: pathOf(file), titles, passedOnlyAlone });
  }
  return files;
}

/** A test that was skipped in one run and ran in a later one counts once. */
function union(runs) {
  const files = new Map();
  for (const run of runs) {
    for (const [path, file] of run) {
      const earlier = files.get(path);
      if (earlier === undefined || earlier.status !== 'failed') files.set(path, file);
    }
  }
  return files;
}

function add(counts, { status, assertionResults }) {
  for (const { status: test } of assertionResults) {
    counts[test === 'passed' ? 'passed' : test === 'failed' ? 'failed' : 'skipped'] += 1;
  }
  // A file that could not be loaded has no test that failed.
  if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
}

/** @returns the number of folders above their budget */
function printMinutes(files) {
  const folders = new Map();
  for (const { path, startTime, endTime } of files) {
    const folder = /^(packages\/.*?|loadgen|test)(?=\/test\/|\/)/.exec(path)?.[1] ?? path;
    folders.set(folder, (folders.get(folder) ?? 0) + (endTime - startTime) / 60_000);
  }
  console.log('== minutes of tests per folder, two files at a time');
  let above = 0;
  for (const [folder, minutes] of [...folders].sort(([, a], [, b]) => b - a)) {
    const budget = process.env.STRICT ? undefined : (budgets[folder] ?? budgets.other);
    const isAbove = budget !== undefined && minutes > budget;
    if (isAbove) above += 1;
    console.log(`${minutes.toFixed(1).padStart(6)}  ${folder}${isAbove ? `: ABOVE ITS BUDGET of ${budget}` : ''}`);
  }
  console.log('== slowest files, in seconds');
  const slowest = [...files].sort((a, b) => b.endTime - b.startTime - (a.endTime - a.startTime)).slice(0, 25);
  for (const { path, startTime, endTime } of slowest) {
    console.log(`${((endTime - startTime) / 1000).toFixed(0).padStart(6)}  ${path}`);
  }
  return above;
}

/**
 * Counts of test reports in vitest's JSON form. A report `NAME-again.json` next to `NAME.json` has a second run of the
 * files that failed in the first.
 *
 *   test-counts.mjs --failed-files REPORT       paths of the files to run again: none if more than five failed
 *   test-counts.mjs --slowest REPORT            the files that took longest, with their seconds
 *   test-counts.mjs FAILED_STEPS REPORT...      the closing line, and exit code 1 unless all passed and none skipped
 */
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

const read = (path) => JSON.parse(readFileSync(path, 'utf8'));
const [first, ...reports] = process.argv.slice(2);

if (first === '--failed-files') {
  const failed = read(reports[0]).testResults.filter(({ status }) => status === 'failed');
  // More than a few are no accident of the machine.
  if (failed.length <= 5) console.log(failed.map(({ name }) => relative('', name)).join(' '));
} else if (first === '--slowest') {
  const files = read(reports[0]).testResults.map(({ name, startTime, endTime }) => [endTime - startTime, name]);
  files.sort(([a], [b]) => b - a);
  for (const [ms, name] of files.slice(0, 25))
    console.log(`${(ms / 1000).toFixed(0).padStart(6)} s  ${relative('', name)}`);
} else {
  const counts = { passed: 0, failed: Number(first), skipped: 0 };
  for (const report of reports) add(counts, report);
  if (counts.skipped > 0) console.log('a test skipped: install what it names');
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  process.exitCode = counts.failed > 0 || counts.skipped > 0 || counts.passed === 0 ? 1 : 0;
}

function add(counts, report) {
  if (!existsSync(report)) {
    counts.failed += 1;
    return;
  }
  const again = report.replace(/\.json$/, '-again.json');
  const repeated = existsSync(again) ? read(again).testResults : [];
  for (const file of read(report).testResults) {
    const second = repeated.find(({ name }) => name === file.name);
    if (file.status === 'failed' && second) {
      for (const { fullName } of file.assertionResults.filter(({ status }) => status === 'failed')) {
        console.log(`failed next to other tests, then ran alone: ${relative('', file.name)}: ${fullName}`);
      }
    }
    const { status, assertionResults } = second ?? file;
    for (const { status: test } of assertionResults) {
      counts[test === 'passed' ? 'passed' : test === 'failed' ? 'failed' : 'skipped'] += 1;
    }
    // A file that could not be loaded has no test that failed.
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) counts.failed += 1;
  }
}

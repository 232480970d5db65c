import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { thresholdSentences } from '../../src/model/threshold-sentences.ts';
import { readReport } from '../../src/read-report.ts';
import { syntheticRun } from '../fixtures/synthetic-run.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const options = { architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 5, requests: 30 };

test('thresholds of the experiment are answered, and those that need a baseline are marked', async () => {
  const folder = await temporaryFolder();
  const thresholds = ['rtt.median < 10s', 'rtt.median < 1us', 'rtt.median < +5%', 'speed < 3'];
  await syntheticRun(folder, { ...options, thresholds });
  const [passed, failed, relative, unknown] = thresholdSentences(await readReport([folder], studyReportOf));
  expect(passed).toMatch(/^Threshold rtt\.median < 10s: passed, [\d.]+ (µs|ms) to [\d.]+ (µs|ms)\.$/);
  expect(failed).toMatch(
    /^Threshold rtt\.median < 1us: failed, .* in 2 of 2 cells; a plain comparison: 5 repetitions without an error rate\.$/,
  );
  expect(relative).toContain('relative to a baseline');
  expect(unknown).toMatch(/^Threshold speed < 3: cannot be checked, .*speed/);
});

test('of several runs the first is the baseline', async () => {
  const [first, second] = [await temporaryFolder(), await temporaryFolder()];
  const slower = second.replace(/run$/, 'slower');
  await syntheticRun(first, { ...options, thresholds: ['rtt.median < +5%'] });
  await syntheticRun(slower, {
    ...options,
    name: 'slower',
    thresholds: ['rtt.median < +5%'],
    change: (cell) => ({ ...cell, rtt: { ...cell.rtt, medianUs: cell.rtt.medianUs * 3 } }),
  });
  const [baseline, candidate] = thresholdSentences(await readReport([first, slower], studyReportOf));
  expect(baseline).toContain('relative to a baseline');
  expect(candidate).toMatch(/^Threshold rtt\.median < \+5% \(slower\): failed/);
});

test('without thresholds there is no sentence', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { ...options, repetitions: 1 });
  expect(thresholdSentences(await readReport([folder], studyReportOf))).toEqual([]);
});

/** The published study's findings hold in its own table, and in no table that turns it around. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { publishedFindings } from '../../src/report/published-findings.ts';
import { readPublishedMedians } from '../../src/report/published-medians.ts';
import type { RoutingModel } from '../../src/report/routing-model.ts';

const study = fileURLToPath(new URL('../../../../experiments/published/routing-study.csv', import.meta.url));

async function findingsOf(medianOf: (publishedUs: number) => number, assumed = false) {
  const published = await readPublishedMedians(study);
  const groups = published.rows.map(({ factors, medianUs }) => {
    const rtt = { medianUs: medianOf(medianUs), q1Us: 1, q3Us: 2, stdUs: 1 };
    return { factors, figures: { rtt } };
  });
  const runs = [{ record: { simulation: { assumed } } }];
  const [found] = publishedFindings({ published, groups, runs } as unknown as RoutingModel);
  return found;
}

test('in the table of the study itself', async () => {
  const found = await findingsOf((us) => us);
  expect(found?.table.rows.slice(0, 4).map(([, verdict, count]) => [verdict, count])).toEqual([
    ['holds', '7 of 7'],
    ['holds', '8 of 8'],
    ['holds', '4 of 4'],
    ['holds', '3 of 3'],
  ]);
  expect(found?.sentences[0]).toMatch(
    /^Of 42 cells .* it is 1\.0 times the published one in the middle, and from 1\.0 /,
  );
});

test('in a table that turns it around', async () => {
  const found = await findingsOf((us) => 1e12 / us, true);
  expect(found?.table.rows.map(([, verdict]) => verdict)).not.toContain('holds');
  expect(found?.sentences[0]).toContain('The calibration is assumed');
});

test('without published medians there is nothing to compare', () => {
  expect(publishedFindings({ published: undefined, groups: [], runs: [] } as unknown as RoutingModel)).toEqual([]);
});

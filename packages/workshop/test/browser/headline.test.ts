/** What the sentences claim, and how sure they are. */
import { expect, it } from 'vitest';
import { withoutFolders } from '../../src/browser/calibration-text.ts';
import { headline } from '../../src/browser/headline.ts';
import { predictedCell } from '../../src/predict/predicted-cell.ts';

const figures = (rttUs: number, busy = 0.2) => ({
  ...{ rttUs: Float64Array.of(rttUs), busy: [busy], machineBusy: [0.1], cpuUs: 1 },
  ...{ hops: 2, hopsBetweenNodes: 0, refused: 0, exposureBytes: {} },
});
const cell = (architecture: string, us: number, busy?: number) => {
  const replications = Array.from({ length: 8 }, (_, at) => figures(us + at, busy));
  return predictedCell(architecture, 50, replications, { processes: ['svc'], machines: ['machine'] });
};

it('an order from assumptions is marked so, and that of a calibration has the limit of its intervals', () => {
  const cells = [cell('central-entity', 1000), cell('sidecar', 2000)];
  const settings = { rate: 50, cores: 2, machines: 'node' } as const;
  expect(headline({ cells, settings }, true)).toMatch(
    /fastest with a central entity.* assumptions.* error is unknown\.$/,
  );
  expect(headline({ cells, settings }, false)).toMatch(/without the error of the calibration\.$/);
});

it.each([
  [0.84, 'stable'],
  [0.87, 'near-capacity'],
  [1.2, 'unstable'],
])('a part that is %d busy is %s, as in simulations', (busy, state) => {
  const { state: found, median } = cell('sidecar', 1000, busy);
  expect([found, median !== undefined]).toEqual([state, state === 'stable']);
});

it.each([
  ['There is no calibration of M9: searched /home/ann.b/calibrations and /c.', 'There is no calibration of M9.'],
  [
    'There is no calibration of M9: searched /a and /b, found only x of M8.',
    'There is no calibration of M9, found only x of M8.',
  ],
  ['It was measured on M8: this is M9.', 'It was measured on M8: this is M9.'],
])('an exported page has for %j: %s', (remark, exported) => {
  expect(withoutFolders(remark)).toBe(exported);
});

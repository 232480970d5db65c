import { expect, it } from 'vitest';
import { boxRow } from '../../src/html/box-row.ts';
import { boxOf } from '../../src/model/box-plot.ts';
import { scaleFor } from '../../src/scale.ts';

it('a diamond is named after what it is', () => {
  const times = [1000, 2000, 3000, 4000, 5000];
  const row = (...other: [number?, string?]) =>
    boxRow({ ...boxOf(times), repetitionMediansUs: [] }, scaleFor(times), '∞', other[0], other[1]).text;
  expect(row(2500)).toContain('0 outliers, published median 2.5 ms"');
  expect(row(2500, 'measured median')).toContain('0 outliers, measured median 2.5 ms"');
  expect(row()).toContain('0 outliers"');
});

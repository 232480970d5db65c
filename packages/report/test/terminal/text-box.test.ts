import { expect, test } from 'vitest';
import { boxOf } from '../../src/model/box-plot.ts';
import { scaleFor } from '../../src/scale.ts';
import { axisLine, boxLine } from '../../src/terminal/text-box.ts';

const box = (valuesUs: number[], unfinished = 0) => ({ ...boxOf(valuesUs, unfinished), repetitionMediansUs: [] });
const place = (us: number, scale: ReturnType<typeof scaleFor>, width: number) =>
  Math.round((scale.at(us) / 100) * (width - 1));

test('quartiles, median, whiskers and outliers are at their places on the axis', () => {
  const values = [100, 200, 300, 400, 500, 1000];
  const [scale, width] = [scaleFor(values), 61];
  const drawn = boxLine(box(values), scale, width, undefined);
  // By hand: quartiles 225 and 475 µs, whiskers to 100 and 500, 1000 beyond 475 + 1.5 · 250.
  expect(drawn.indexOf('├')).toBe(place(100, scale, width));
  expect(drawn.indexOf('▒')).toBe(place(225, scale, width));
  expect(drawn.indexOf('┃')).toBe(place(350, scale, width));
  expect(drawn.lastIndexOf('▒')).toBe(place(475, scale, width));
  expect(drawn.indexOf('┤')).toBe(place(500, scale, width));
  expect(drawn.indexOf('·')).toBe(place(1000, scale, width));
  expect(drawn.length).toBeLessThanOrEqual(width);
});

test('a published median is a diamond, and never hides the measured one', () => {
  const [scale, width] = [scaleFor([100, 1000]), 40];
  expect(boxLine(box([500]), scale, width, 900)).toMatch(/┃ +◆$/);
  expect(boxLine(box([500]), scale, width, 500)).not.toContain('◆');
});

test('labels of the axis are under their places and never touch', () => {
  for (const width of [24, 40, 80]) {
    const scale = scaleFor([200, 60e6, Number.POSITIVE_INFINITY]);
    const line = axisLine(scale, width, '> 60 s');
    expect(line.length).toBeLessThanOrEqual(width);
    expect(line).toMatch(/> 60 s$/);
    const labels = line.trim().split(/ {2,}|(?<=[µm]?s) /);
    for (const label of labels) expect(['> 60 s', ...scale.ticks.map((tick) => tick.label)]).toContain(label);
  }
});

test('requests that never finished are drawn at the end of the axis', () => {
  const values = [100, 200, 400];
  const scale = scaleFor([...values, Number.POSITIVE_INFINITY]);
  expect(boxLine(box(values, 5), scale, 50, undefined)).toMatch(/┃$/);
});

import { expect, it } from 'vitest';
import { operatorCharts, operatorPanels } from '../../src/report/operator-chart.ts';
import { around, streamModel } from './stream-model.ts';

const panelsOf = (counts: Record<string, number[]>) =>
  operatorPanels(
    streamModel([{ factors: { database: 'redis', windows: 'none' }, rates: around(900), more: { counts } }]),
  );

it('lines of equal value show next to each other: an earlier one is wider, and the title names them', () => {
  const panels = panelsOf({ source: [5, 7], keyBy: [5, 7], aggregate: [5, 7], sink: [4, 7] });
  expect(panels.map(({ title }) => title)).toEqual(['redis without windows (source = key by = aggregate)']);
  const drawn = [...operatorCharts(panels).text.matchAll(/<polyline [^>]*stroke-width="([\d.]+)" points="([^"]+)"/g)];
  expect(drawn).toHaveLength(4);
  expect(drawn[0]?.[2]).toBe(drawn[2]?.[2]);
  const widths = drawn.map(([, width]) => Number(width));
  // In the order of drawing: the last one is on top. A margin of half a pixel on both sides can be seen.
  for (const [at, width] of widths.slice(1).entries()) expect((widths[at] as number) - width).toBeGreaterThanOrEqual(1);
  expect(widths.at(-1)).toBeGreaterThanOrEqual(1);
});

it('a title names no operators that differ at one moment, and a missing end counts as none', () => {
  const [differing] = panelsOf({ source: [5, 7, 1], keyBy: [5, 6, 2], aggregate: [3], sink: [3, 0, 0] });
  expect(differing?.title).toBe('redis without windows (aggregate = sink)');
  const [none] = panelsOf({ source: [1], keyBy: [2], aggregate: [3], sink: [4] });
  expect(none?.title).toBe('redis without windows');
});

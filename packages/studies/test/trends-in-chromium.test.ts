/** What charts over a factor do in a real browser: values, dots, intervals, knee, filters, downloads, width. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { describeInChromium, openPage, pageOf } from '../../report/test/fixtures/chromium-page.ts';

const noise = [1, 1.04, 0.97, 1.02, 0.99, 1.01];
const architectures = ['central-entity', 'sidecar'];
const rates = [20, 40, 80, 160];

/** The central entity has its knee between 40 and 80 req/s, and at 160 req/s most requests never finish. */
function medianMs(architecture: string, rate: number): number {
  if (architecture === 'sidecar' || rate < 80) return 10;
  return rate === 80 ? 120 : Number.POSITIVE_INFINITY;
}

describeInChromium('charts over a factor', () => {
  let folder: string;
  let path: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    path = await pageOf(join(folder, 'run'), {
      architectures,
      services: [12],
      rates,
      repetitions: noise.length,
      requests: 20,
      change: (cell) => {
        const { architecture, rate } = cell.factors;
        const medianUs = 1e3 * medianMs(String(architecture), Number(rate)) * (noise[cell.repetition - 1] as number);
        const rtt = { ...cell.rtt, medianUs, p95Us: 2 * medianUs };
        return { ...cell, rtt, validity: { valid: true, reasons: [], flags: [] } };
      },
    });
  });

  const figure = (page: Page) => page.locator('[data-figure="trend-rate"]');
  const dots = (page: Page) => figure(page).locator('g[data-mark="dot"] circle').count();

  test('each repetition is a dot, a median that is infinite is a triangle, and the knee is a band', async () => {
    const { page, complaints } = await openPage(path);
    expect(await figure(page).locator('.plot-title').allTextContents()).toEqual(['median', 'p95']);
    // Two panels. Seven of eight cells have finite times: six repetitions and their median each.
    expect(await dots(page)).toBe(2 * 7 * (noise.length + 1));
    expect(await figure(page).locator('g[data-mark="dot"] path').count()).toBe(2);
    expect(await figure(page).locator('svg text').filter({ hasText: 'knee' }).count()).toBe(2);
    expect(await figure(page).locator('.legend li').allTextContents()).toEqual(architectures);
    const levels = figure(page).locator('.plot').first().locator('g[data-mark="x-axis tick label"] text');
    expect(await levels.allTextContents()).toEqual(rates.map(String));
    expect(complaints).toEqual([]);
  });

  test('where all medians are infinite, triangles are at the only tick, which has their text', async () => {
    const unfinished = await pageOf(join(folder, 'unfinished'), {
      architectures,
      services: [12],
      rates,
      repetitions: 3,
      requests: 20,
      change: (cell) => {
        const rtt = { ...cell.rtt, medianUs: Number.POSITIVE_INFINITY, p95Us: Number.POSITIVE_INFINITY };
        return { ...cell, rtt, validity: { valid: true, reasons: [], flags: [] } };
      },
    });
    const { page, complaints } = await openPage(unfinished);
    const panels = figure(page).locator('.plot');
    expect(await panels.locator('.plot-title').allTextContents()).toEqual(['median', 'p95']);
    for (const panel of await panels.all()) {
      const tick = panel.locator('g[data-mark="y-axis tick label"] text');
      expect(await tick.allTextContents()).toEqual(['> 60 s']);
      const triangles = panel.locator('g[data-mark="dot"] path');
      expect(await triangles.count()).toBe(architectures.length * rates.length);
      const middle = (box: { y: number; height: number } | null) => (box ? box.y + box.height / 2 : Number.NaN);
      const top = middle(await tick.boundingBox());
      for (const triangle of await triangles.all())
        expect(Math.abs(middle(await triangle.boundingBox()) - top)).toBeLessThan(8);
    }
    await panels.first().focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => panels.first().locator('output').textContent())
      .toBe('central-entity, 20: median round-trip time (ms): > 60 s (median of 3 repetitions, > 60 s to > 60 s)');
    expect(complaints).toEqual([]);
  });

  test('keys read the values of medians and of p95, with repetitions and interval', async () => {
    const { page } = await openPage(path);
    const read = async (panel: number, keys: string[]): Promise<() => Promise<string | null>> => {
      await figure(page).locator('.plot').nth(panel).focus();
      for (const key of keys) await page.keyboard.press(key);
      return () => figure(page).locator('.plot').nth(panel).locator('output').textContent();
    };
    // The interval of the median of six repetitions reaches from the smallest to the largest.
    await expect
      .poll(await read(0, ['ArrowRight', 'ArrowRight', 'ArrowRight']))
      .toBe(
        'central-entity, 80: median round-trip time (ms): 120.6 (median of 6 repetitions, 116.4 to 124.8, 95% interval 116.4 to 124.8)',
      );
    await expect
      .poll(await read(0, ['ArrowRight']))
      .toBe('central-entity, 160: median round-trip time (ms): > 60 s (median of 6 repetitions, > 60 s to > 60 s)');
    await expect
      .poll(await read(1, ['ArrowRight', 'ArrowDown']))
      .toMatch(/^sidecar, 20: p95 of round-trip time \(ms\): 20\.1 \(/);
  });

  test('the filter removes lines, dots and rows, and the name of a line is on each row that stays', async () => {
    const { page } = await openPage(path);
    const rows = page.locator('#trend-rate tbody tr:not([hidden])');
    expect(await rows.count()).toBe(8);
    await page.locator('.controls summary').click();
    await page.getByLabel('central-entity', { exact: true }).uncheck();
    await page.getByLabel('20 req/s', { exact: true }).uncheck();
    await expect.poll(() => dots(page)).toBe(2 * 3 * (noise.length + 1));
    expect(await figure(page).locator('svg text').filter({ hasText: 'knee' }).count()).toBe(0);
    const names = await rows.evaluateAll((found) => found.map((row) => row.querySelector('td')?.textContent));
    expect(names).toEqual(['sidecar', 'sidecar', 'sidecar']);
  });

  test('it can be saved as SVG that stands alone, and as PNG', async () => {
    const { page } = await openPage(path);
    const save = async (kind: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        figure(page).locator(`[data-download=${kind}]`).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`topo-bench-trend-rate.${kind}`);
      return readFile(await download.path());
    };
    const svg = (await save('svg')).toString();
    for (const text of ['central-entity', 'knee', 'p95']) expect(svg).toContain(text);
    expect(svg).not.toMatch(/var\(|class=|<style/);
    expect((await save('png')).subarray(1, 4).toString()).toBe('PNG');
  });

  test.each([390, 1440])('at %i pixels the two charts fill the width of the section', async (width) => {
    const { page } = await openPage(path, { width });
    const [outer, ...inner] = (await page.evaluate(
      `[document.querySelector('#trend-rate figure'), ...document.querySelectorAll('#trend-rate .plot > svg')].map((one) => one.getBoundingClientRect().width)`,
    )) as [number, ...number[]];
    const perRow = width > 1000 ? 2 : 1;
    expect(inner).toHaveLength(2);
    for (const drawn of inner) expect((perRow * drawn) / outer).toBeGreaterThan(0.95);
    for (const drawn of inner) expect(perRow * drawn).toBeLessThanOrEqual(outer);
  });

  test('without script both charts are there, with intervals, dots and the knee', async () => {
    const { page } = await openPage(path, { javaScriptEnabled: false });
    const drawn = page.locator('#trend-rate svg[role=img]');
    expect(await drawn.count()).toBe(2);
    // Six repetitions each, also those at the infinite end of the axis.
    expect(await drawn.nth(1).locator('circle[r="1.8"]').count()).toBe(8 * noise.length);
    await expect(drawn.nth(1).getAttribute('aria-label')).resolves.toContain(
      'p95 of round-trip times over req/s: central-entity 20: 20.1 ms, 40: 20.1 ms, 80: 241 ms, 160: > 60 s; sidecar 20:',
    );
    expect(await page.locator('#trend-rate details tbody tr').count()).toBe(8);
  });
});

/** What the pages of studies do in a real browser: spread, values, filters, downloads, bars, width. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { accessRun } from '../../guests/access-study/test/fixtures/access-run.ts';
import { storeRun } from '../../guests/store-study/test/fixtures/store-run.ts';
import { streamRun } from '../../guests/stream-study/test/fixtures/stream-run.ts';
import { transferRun } from '../../guests/transfer-study/test/fixtures/transfer-run.ts';
import { describeInChromium, openPage, writePage } from '../../report/test/fixtures/chromium-page.ts';

const require = createRequire(new URL('../../report/package.json', import.meta.url));
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const hostile = '<img src=x onerror=alert(1)>';

describeInChromium('pages of stores, transfers, reads and streams', () => {
  let folder: string;
  let stores: string;
  let transfers: string;
  let reads: string;
  let streams: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    await storeRun(join(folder, 'stores'), {
      stores: ['sql-indexed', 'sql-unindexed', hostile],
      workloads: ['read-heavy', 'mixed'],
      loads: [1, 100],
      repetitions: 3,
      figuresOf: (store, _, load, repetition) => ({
        p95Ms: (store === 'sql-unindexed' ? 20 : 2) * repetition * (load === 1 ? 1 : 5),
        throughputRps: 900,
        cpuPercent: 40,
        ramMb: 150,
      }),
    });
    stores = await writePage(join(folder, 'stores'));
    await transferRun(
      join(folder, 'transfers'),
      ['get', 'put'].flatMap((operation) => [1, 4].map((streams) => ({ operation, streams, rates: [10, 20, 30] }))),
    );
    transfers = await writePage(join(folder, 'transfers'));
    await accessRun(
      join(folder, 'reads'),
      [1000, 4000].flatMap((volume) =>
        ['native', 'connector-container', 'columnar'].map((variant, at) => ({
          variant,
          volume,
          times: Array.from({ length: 6 }, () => (volume * (at + 1)) / 10),
          parts: variant === 'connector-container' ? { create: 0.25, read: 0.75 } : { connect: 0.1, read: 0.9 },
        })),
      ),
    );
    reads = await writePage(join(folder, 'reads'));
    await streamRun(
      join(folder, 'streams'),
      ['postgresql', 'redis'].flatMap((database) =>
        ['none', '1 s'].map((windows, at) => ({
          database,
          windows,
          rates: [1, 1.02, 0.98, 1.01, 0.99, 1.03].map((one) => one * (database === 'redis' ? 3000 : 1000 - 100 * at)),
        })),
      ),
    );
    streams = await writePage(join(folder, 'streams'));
  });

  const figure = (page: Page, name: string) => page.locator(`[data-figure="${name}"]`);
  const dots = (page: Page, name: string) => figure(page, name).locator('g[data-mark="dot"] circle').count();
  const rows = (page: Page, id: string) => page.locator(`#${id} tbody tr`).filter({ visible: true }).count();
  const shown = (page: Page, selector: string) => page.locator(selector).filter({ visible: true }).count();
  const openAll = (page: Page) =>
    page.evaluate(`document.querySelectorAll('section details').forEach((one) => { one.open = true; })`);
  const uncheck = async (page: Page, label: string): Promise<void> => {
    await page.locator('.controls summary').click();
    await page.getByLabel(label, { exact: true }).uncheck();
  };

  test('a store page shows every repetition, and its keys read median and spread', async () => {
    const { page, complaints, requests } = await openPage(stores);
    for (const metric of ['p95Ms', 'throughputRps', 'cpuPercent', 'ramMb']) {
      expect(await figure(page, `load-${metric}`).locator('.plot').count()).toBe(2);
    }
    // Three stores, two workloads, two loads: three repetitions and their median each.
    expect(await dots(page, 'load-p95Ms')).toBe(3 * 2 * 2 * (3 + 1));
    const panel = figure(page, 'load-p95Ms').locator('.plot').first();
    await panel.focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => panel.locator('output').textContent())
      .toBe('sql-indexed, 100: p95 of response time (ms): 20 (median of 3 repetitions, 10 to 30)');
    await expect(panel.textContent()).resolves.toContain('p95 of response time (ms), logarithmic');
    await expect(figure(page, 'load-ramMb').textContent()).resolves.toContain('RAM (MB), linear');
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  });

  test('the filter of a store page removes lines, points and rows', async () => {
    const { page } = await openPage(stores);
    await uncheck(page, 'store sql-unindexed');
    await expect.poll(() => dots(page, 'load-p95Ms')).toBe(2 * 2 * 2 * (3 + 1));
    expect(await figure(page, 'load-p95Ms').locator('.legend li').allTextContents()).toEqual(['sql-indexed', hostile]);
    await page.locator('#against-load summary').click();
    const rows = page.locator('#against-load tbody tr').filter({ visible: true });
    expect(await rows.count()).toBe(8);
    await expect(page.locator('#shown').textContent()).resolves.not.toMatch(/time/);
  });

  test('the heat map of scores reads values out on hover, follows the filter, and can be saved', async () => {
    const { page } = await openPage(stores);
    const fields = figure(page, 'composite').locator('g[data-cells]');
    expect(await fields.count()).toBe(6);
    // p95: 2 × 2 ms and 10 × 2 ms over both loads; the worst of the three in p95, equal in the other metrics.
    await expect(fields.locator('title').nth(2).textContent()).resolves.toBe(
      'sql-unindexed, read-heavy: 0.38 of 1 (p95 (ms) 120.0, successes/s 900.0, CPU % 40.00, RAM MB 150.0)',
    );
    await uncheck(page, 'store sql-unindexed');
    await expect.poll(() => fields.filter({ visible: true }).count()).toBe(4);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      figure(page, 'composite').locator('[data-download=svg]').click(),
    ]);
    const svg = (await readFile(await download.path())).toString();
    expect(svg).toContain('sql-indexed, read-heavy: 0.63 of 1');
    expect(svg).not.toContain('sql-unindexed, read-heavy');
  });

  test.each(['light', 'dark'] as const)(
    'figures of the heat map are readable on their fields, %s',
    async (colorScheme) => {
      const { page } = await openPage(stores, { colorScheme });
      const fields = (await page.evaluate(`(() => {
      const canvas = document.createElement('canvas').getContext('2d');
      const rgb = (paint) => { canvas.fillStyle = paint; canvas.fillRect(0, 0, 1, 1); return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3); };
      const card = rgb(getComputedStyle(document.querySelector('section')).backgroundColor);
      return [...document.querySelectorAll('[data-figure=composite] g[data-cells]')].map((field) => {
        const [rect, text] = [field.querySelector('rect'), field.querySelector('text')].map((one) => getComputedStyle(one));
        return { card, fill: rgb(rect.fill), opacity: Number(rect.fillOpacity), ink: rgb(text.fill) };
      });
    })()`)) as { card: number[]; fill: number[]; opacity: number; ink: number[] }[];
      // Relative luminance and contrast of WCAG 2.
      const linear = (value: number): number => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4);
      const luminance = ([r = 0, g = 0, b = 0]: number[]): number =>
        0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
      const contrasts = fields.map(({ card, fill, opacity, ink }) => {
        const field = fill.map((value, at) => opacity * value + (1 - opacity) * (card[at] as number));
        const [low, high] = [luminance(field), luminance(ink)].sort((a, b) => a - b) as [number, number];
        return (high + 0.05) / (low + 0.05);
      });
      expect(contrasts).toHaveLength(6);
      expect(Math.min(...contrasts)).toBeGreaterThan(4.5);
    },
  );

  test('every tick of a logarithmic axis has a label, also over more than two decades', async () => {
    const { page } = await openPage(stores);
    const axis = figure(page, 'load-p95Ms').locator('.plot').first().locator('g[data-mark="y-axis tick label"] text');
    // From 2 ms to 300 ms.
    expect(await axis.allTextContents()).toEqual(['2', '5', '10', '20', '50', '100', '200']);
  });

  test('the filter of a transfer page works, and its chart can be saved', async () => {
    const { page, complaints } = await openPage(transfers);
    expect(await figure(page, 'throughput').locator('.plot').count()).toBe(2);
    await uncheck(page, 'operation put');
    await expect.poll(() => figure(page, 'throughput').locator('.plot').count()).toBe(1);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      figure(page, 'throughput').locator('[data-download=svg]').click(),
    ]);
    const svg = (await readFile(await download.path())).toString();
    expect(svg).toContain('Flight, get');
    expect(svg).not.toContain('Flight, put');
    expect(complaints).toEqual([]);
  });

  test('a page of reads has a bar per variant whose parts are as wide as their times', async () => {
    const { page, complaints, requests } = await openPage(reads);
    const bars = page.locator('#parts svg.bar');
    expect(await bars.count()).toBe(6);
    const widthOf = async (bar: number, part: number): Promise<number> =>
      (await bars.nth(bar).locator('rect').nth(part).boundingBox())?.width ?? Number.NaN;
    // 100 ms, 200 ms and 300 ms on one scale.
    const native = (await widthOf(0, 0)) + (await widthOf(0, 1));
    expect((await widthOf(1, 0)) / native).toBeCloseTo(0.5, 1);
    expect((await widthOf(1, 1)) / native).toBeCloseTo(1.5, 1);
    expect(((await widthOf(2, 0)) + (await widthOf(2, 1))) / native).toBeCloseTo(3, 1);
    expect(await page.locator('#volumes g[data-mark="line"] path').count()).toBe(3);
    expect(await page.locator('#answer').textContent()).toContain('PostgreSQL, 4,000 rows: native (A) reads');
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => !url.startsWith('file:') && !url.startsWith('data:'))).toEqual([]);
  });

  test('the filter of a page of reads removes bars, lines and rows, and is in the address', async () => {
    const { page, complaints } = await openPage(reads);
    await openAll(page);
    const counts = async (at: Page) => ({
      bars: await shown(at, '#parts svg.bar'),
      points: await shown(at, '#parts .points circle'),
      panels: await shown(at, '#parts .panel'),
      lines: await at.locator('#volumes g[data-mark="line"] path').count(),
      rows: await Promise.all(['prices', 'volumes', 'by-cell', 'resources'].map((id) => rows(at, id))),
    });
    // Two volumes of three variants, with six repetitions each; two of the variants have a price.
    expect(await counts(page)).toEqual({ bars: 6, points: 36, panels: 2, lines: 3, rows: [4, 3, 6, 6] });
    await uncheck(page, 'columnar');
    const filtered = { bars: 4, points: 24, panels: 2, lines: 2, rows: [2, 2, 4, 4] };
    await expect.poll(() => counts(page)).toEqual(filtered);
    const other = await openPage(reads);
    await other.page.goto('about:blank');
    await other.page.goto(page.url());
    await openAll(other.page);
    expect(await counts(other.page)).toEqual(filtered);
    await page.getByLabel('1,000 rows', { exact: true }).uncheck();
    await expect.poll(() => counts(page)).toMatchObject({ bars: 2, panels: 1, rows: [1, 2, 2, 2] });
    // A price compares two variants: it needs both.
    await page.getByLabel('native', { exact: true }).uncheck();
    await expect.poll(() => counts(page)).toMatchObject({ bars: 1, lines: 1, rows: [0, 1, 1, 1] });
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  test('the filter of a page of streams removes bars, points, operators and rows', async () => {
    const { page, complaints } = await openPage(streams);
    await openAll(page);
    const tables = ['throughput', 'databases', 'windows', 'latency', 'resources', 'checks'];
    const counts = async () => ({
      bars: await shown(page, '#throughput svg.bar'),
      points: await shown(page, '#throughput .points circle'),
      operators: await figure(page, 'operators').locator('.plot').count(),
      latency: await dots(page, 'latency'),
      rows: await Promise.all(tables.map((id) => rows(page, id))),
    });
    // Two databases with and without windows: six repetitions each, and their median at four percentiles.
    const all = { bars: 4, points: 24, operators: 4, latency: 4 * 4 * (6 + 1), rows: [8, 2, 2, 4, 4, 4] };
    expect(await counts()).toEqual(all);
    await uncheck(page, 'postgresql');
    const redis = { bars: 2, points: 12, operators: 2, latency: 2 * 4 * (6 + 1), rows: [4, 0, 1, 2, 2, 2] };
    await expect.poll(counts).toEqual(redis);
    expect(page.url()).toContain('#show:database=');
    const panel = figure(page, 'latency').locator('.plot').first();
    await panel.focus();
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => panel.locator('output').textContent())
      .toMatch(/^redis, p50: end-to-end latency \(ms\): [\d.]+ \(median of 6 repetitions, .*, 95% interval/);
    // A pointer in one panel marks the time in all of them.
    const [first, second] = [0, 1].map((at) => figure(page, 'operators').locator('.plot').nth(at)) as [
      Locator,
      Locator,
    ];
    // Focus scrolls the page; a pointer at rest above a panel would then mark a time of its own.
    await page.mouse.move(0, 0);
    await first.focus();
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => first.locator('output').textContent()).toBe('source: 0.05 s, 50');
    await expect
      .poll(() => second.locator('output').textContent())
      .toMatch(/^0\.[01] s: source 50, key by 40, aggregate 0, sink 0$/);
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(counts).toEqual(all);
    expect(complaints).toEqual([]);
  });

  test('tables of averages and of comparisons follow the filter', async () => {
    const { page } = await openPage(stores);
    await openAll(page);
    const ofStores = async () => [await rows(page, 'averages'), await rows(page, 'composite')];
    expect(await ofStores()).toEqual([6, 3]);
    await uncheck(page, 'store sql-unindexed');
    await expect.poll(ofStores).toEqual([4, 2]);
    const { page: other } = await openPage(transfers);
    await openAll(other);
    const byCell = async () => [await rows(other, 'by-cell'), await rows(other, 'resources')];
    expect(await byCell()).toEqual([4, 4]);
    await uncheck(other, 'operation put');
    await expect.poll(byCell).toEqual([2, 2]);
    expect(await shown(other, '[aria-label^="Throughput in MB/s by streams"] tbody tr')).toBe(1);
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'axe finds nothing in %s at %i pixels, and nothing is wider than the page',
    async (colorScheme, width) => {
      for (const path of [stores, transfers, reads, streams]) {
        const { page } = await openPage(path, { colorScheme, width });
        const wider = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect(await page.evaluate(wider)).toBe(0);
        await page.evaluate(axe);
        const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
          violations: { id: string; nodes: { html: string }[] }[];
        };
        expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
      }
    },
  );

  test('at 1440 pixels no table is cut off; at 390 pixels those that are have a visible scroll bar', async () => {
    const cut = `[...document.querySelectorAll('.scroll')].filter((one) => one.scrollWidth > one.clientWidth + 1)`;
    for (const path of [stores, transfers, reads, streams]) {
      const wide = await openPage(path, { width: 1440 });
      expect(await wide.page.evaluate(`${cut}.length`)).toBe(0);
      const narrow = await openPage(path, { width: 390 });
      const heights = (await narrow.page.evaluate(
        `${cut}.map((one) => getComputedStyle(one, '::-webkit-scrollbar').height)`,
      )) as string[];
      expect(heights.length).toBeGreaterThan(0);
      expect(new Set(heights)).toEqual(new Set(['10px']));
    }
  });

  test.each([390, 1440])('at %i pixels charts by level fill the width of their figures', async (width) => {
    for (const path of [stores, transfers, reads, streams]) {
      const { page } = await openPage(path, { width });
      const shares = (await page.evaluate(
        `[...document.querySelectorAll('[data-draw=lines]')].map((figure) => {
          const drawn = [...figure.querySelectorAll('.plot > svg')].map((one) => one.getBoundingClientRect());
          return (Math.max(...drawn.map(({ right }) => right)) - Math.min(...drawn.map(({ left }) => left))) / figure.clientWidth;
        })`,
      )) as number[];
      expect(shares.length).toBeGreaterThan(0);
      for (const share of shares) expect(share).toBeGreaterThan(0.95);
    }
  });

  test('pages of stores and transfers have the CPU of their roles over time', async () => {
    for (const path of [stores, transfers]) {
      const { page, complaints } = await openPage(path);
      const cpu = figure(page, 'usage').locator('.plot', { hasText: 'CPU' });
      await cpu.focus();
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => cpu.locator('output').textContent()).toBe('service: 0.8 s, 40%');
      await expect(figure(page, 'usage').textContent()).resolves.not.toContain('Event loops');
      expect(complaints).toEqual([]);
    }
  });

  test('without script the page still has the charts of medians', async () => {
    const { page } = await openPage(stores, { javaScriptEnabled: false });
    expect(await page.locator('[data-figure="load-p95Ms"] polyline').count()).toBe(6);
  });
});

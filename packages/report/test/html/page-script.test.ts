/**
 * What the page's script does, in a real browser: filters, metric, values by pointer and by keys, downloads; and the
 * page without it.
 */
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Cell } from '@topo-bench/core/schema/result';
import { studyReportOf } from '@topo-bench/studies';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { readReport } from '../../src/read-report.ts';
import { describeInChromium, openPage, openRun, pageOf, study, writePage } from '../fixtures/chromium-page.ts';
import { syntheticRun } from '../fixtures/synthetic-run.ts';

/** Three of them with two numbers of services at two rates make twelve cells. */
const architectures = ['central-entity', 'dynamic-router-3', 'sidecar'];
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describeInChromium("the page's script", () => {
  let folder: string;
  let studyPath: string;
  let smallPath: string;
  beforeAll(async () => {
    folder = temporaryFolder();
    studyPath = await pageOf(join(folder, 'study'), study);
    smallPath = await pageOf(join(folder, 'small'), { ...study, architectures, services: [5, 10], rates: [100, 500] });
  });

  const figure = (page: Page, name: string) => page.locator(`[data-figure="${name}"]`);
  const visible = (page: Page, selector: string) => page.locator(selector).filter({ visible: true });

  test('there is a panel per setting and a line per cell, on the same axes', async () => {
    const { page, complaints } = await openPage(studyPath);
    for (const name of ['percentiles', 'ecdf']) {
      expect(await figure(page, name).locator('.plot').count()).toBe(12);
      expect(await figure(page, name).locator('g[data-mark="line"] path').count()).toBe(48);
    }
    expect(await figure(page, 'over-time').locator('.plot').count()).toBe(12);
    const sizes = (await page.evaluate(
      `[...document.querySelectorAll('[data-figure=ecdf] .plot svg')].map((one) => [one.clientWidth, one.clientHeight].join())`,
    )) as string[];
    expect(new Set(sizes).size).toBe(1);
    expect(await figure(page, 'rates').locator('.plot').count()).toBe(1);
    expect(complaints).toEqual([]);
  });

  test('the axis of percentiles has p50 and p99.9', async () => {
    const { page } = await openPage(smallPath);
    const axis = figure(page, 'percentiles').locator('.plot').first().locator('g[data-mark="x-axis tick label"] text');
    expect(await axis.allTextContents()).toEqual(['min', 'p50', 'p90', 'p99', 'p99.9']);
  });

  test('at 390 pixels every table that is cut has a visible scroll bar; at 1440 charts fill the width', async () => {
    const { page } = await openPage(smallPath, { width: 390 });
    await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
    const heights = (await page.evaluate(`[...document.querySelectorAll('.scroll')]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => getComputedStyle(one, '::-webkit-scrollbar').height)`)) as string[];
    expect(heights.length).toBeGreaterThan(3);
    expect(new Set(heights)).toEqual(new Set(['10px']));
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    await page.setViewportSize({ width: 1440, height: 800 });
    const shares = `[...document.querySelectorAll('[data-draw]')].map((figure) => {
      const drawn = [...figure.querySelectorAll('.plot > svg')].map((one) => one.getBoundingClientRect());
      return (Math.max(...drawn.map(({ right }) => right)) - Math.min(...drawn.map(({ left }) => left))) / figure.clientWidth;
    })`;
    // A resize draws the charts again.
    await expect.poll(async () => Math.min(...((await page.evaluate(shares)) as number[]))).toBeGreaterThan(0.95);
  });

  test('the address has the state of the filters, and opens the page in that state', async () => {
    const { page, url, complaints } = await openPage(smallPath);
    const shown = () => page.locator('#shown').textContent();
    await page.locator('.controls summary').click();
    await page.getByLabel('500 req/s', { exact: true }).uncheck();
    await page.getByLabel('sidecar', { exact: true }).uncheck();
    await page.getByLabel('response time', { exact: true }).check();
    expect(await shown()).toBe('4 of 12 cells, response time');
    const link = page.url();
    expect(link.startsWith(`${url}#show:`)).toBe(true);
    const other = await openPage(smallPath);
    await other.page.goto('about:blank');
    await other.page.goto(link);
    expect(await other.page.locator('#shown').textContent()).toBe('4 of 12 cells, response time');
    expect(await other.page.getByLabel('sidecar', { exact: true }).isChecked()).toBe(false);
    // A link to a section changes nothing, and levels of another page are ignored.
    await other.page.evaluate(`location.hash = '#validity'`);
    expect(await other.page.locator('#shown').textContent()).toBe('4 of 12 cells, response time');
    await other.page.evaluate(`location.hash = '#show:architecture=sidecar&colour=red'`);
    await other.page.waitForFunction(`document.getElementById('shown').textContent.startsWith('4 of 12 cells, round')`);
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.waitForFunction(`document.getElementById('shown').textContent.startsWith('all 12')`);
    expect(page.url()).toBe(url);
    expect([...complaints, ...other.complaints]).toEqual([]);
  });

  test('factors filter charts and tables alike, and can be shown all again', async () => {
    const { page, complaints } = await openPage(smallPath);
    await page.locator('.controls summary').click();
    await page.getByLabel('500 req/s', { exact: true }).uncheck();
    await page.getByLabel('dynamic-router-3', { exact: true }).uncheck();
    await expect(page.locator('#shown').textContent()).resolves.toBe('4 of 12 cells, round-trip time');
    expect(await visible(page, 'svg.box').count()).toBe(4);
    await expect.poll(() => figure(page, 'percentiles').locator('.plot').count()).toBe(2);
    expect(await figure(page, 'percentiles').locator('g[data-mark="line"] path').count()).toBe(4);
    expect(await figure(page, 'percentiles').locator('.legend li').allTextContents()).toEqual([
      'central-entity',
      'sidecar',
    ]);
    await page.locator('#round-trip-times [data-metric=rtt] summary').click();
    expect(await visible(page, '#round-trip-times details tbody tr').count()).toBe(4);
    // Tables over several cells lose the rows of architectures that are not chosen.
    const effects = page.getByRole('region', { name: 'decisions by effect' });
    expect(await effects.locator('tbody tr').filter({ visible: true }).count()).toBe(2);
    const averages = page.getByRole('region', { name: 'weighted average per service' });
    expect(await averages.locator('tbody tr').filter({ visible: true }).count()).toBe(2);
    await expect(visible(page, '#resources tbody tr').allTextContents()).resolves.not.toContainEqual(
      expect.stringMatching(/router/),
    );
    // The result is of all cells: it does not follow.
    await expect(page.locator('#answer .headline').textContent()).resolves.toContain('of 4 settings');

    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => figure(page, 'percentiles').locator('.plot').count()).toBe(4);
    expect(await visible(page, 'svg.box').count()).toBe(12);
    expect(complaints).toEqual([]);
  });

  test('with nothing chosen the page shows a note', async () => {
    const { page, complaints } = await openPage(smallPath);
    await page.locator('.controls summary').click();
    for (const rate of [100, 500]) await page.getByLabel(`${rate} req/s`, { exact: true }).uncheck();
    await expect(figure(page, 'ecdf').textContent()).resolves.toContain('Nothing to draw');
    expect(await visible(page, '[data-figure=ecdf] button').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('the response time can be chosen instead of the round-trip time', async () => {
    const { page } = await openPage(smallPath);
    const path = figure(page, 'percentiles').locator('g[data-mark="line"] path').first();
    const before = await path.getAttribute('d');
    await page.locator('.controls summary').click();
    await page.getByLabel('response time', { exact: true }).check();
    expect(await path.getAttribute('d')).not.toBe(before);
    await expect(visible(page, '#round-trip-times .chart thead').first().textContent()).resolves.toContain(
      'response time',
    );
    await expect(page.locator('#shown').textContent()).resolves.toBe('all 12 cells, response time');
  });

  test('arrow keys read values out, and they are those of the samples', async () => {
    const options = { architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 2, requests: 100 };
    const { page, url } = await openRun(options);
    const { groups } = await readReport([dirname(new URL(url).pathname)], studyReportOf);
    const panel = figure(page, 'percentiles').locator('.plot');
    await panel.focus();
    const readout = panel.locator('output');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => readout.textContent()).toMatch(/^none: fastest of \d+, /);
    const fastest = Math.min(...groups[0]!.valid.map(({ rtt }) => rtt.minUs)) / 1e3;
    expect(Number(/, ([\d.]+) ms/.exec((await readout.textContent()) ?? '')?.[1])).toBeCloseTo(fastest, 2);
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => readout.textContent()).toMatch(/^sidecar: fastest/);
    for (let step = 0; step < 25; step++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => readout.textContent()).toMatch(/^sidecar: p50, /);
    expect(await panel.locator('g[data-mark="tip"] text').textContent()).toContain('p50');
  });

  test('the pointer shows the value that is nearest', async () => {
    const { page } = await openPage(smallPath);
    const panel = figure(page, 'ecdf').locator('.plot').first();
    await panel.scrollIntoViewIfNeeded();
    const path = panel.locator('g[data-mark="line"] path').first();
    const box = (await path.boundingBox())!;
    await page.mouse.move(box.x + 2, box.y + box.height - 2);
    await expect.poll(() => panel.locator('output').textContent()).toMatch(/% took at most [\d.]+ ms$/);
  });

  test.each(['box-plots', 'percentiles', 'rates'])('%s can be saved as complete SVG, and as PNG', async (name) => {
    const { page, complaints } = await openPage(smallPath);
    const save = async (kind: string): Promise<Buffer> => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        figure(page, name).locator(`[data-download=${kind}]`).click(),
      ]);
      expect(download.suggestedFilename()).toBe(`topo-bench-${name}.${kind}`);
      return readFile(await download.path());
    };
    const svg = (await save('svg')).toString();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg"/);
    expect(svg).toContain('central-entity');
    expect(svg).not.toMatch(/var\(|class=|<style/);
    const problem = `new DOMParser().parseFromString(${JSON.stringify(svg)}, 'image/svg+xml').querySelector('parsererror')?.textContent ?? null`;
    expect(await page.evaluate(problem)).toBeNull();
    const png = await save('png');
    expect(png.subarray(1, 4).toString()).toBe('PNG');
    expect(png.readUInt32BE(16)).toBeGreaterThan(1000);
    expect(complaints).toEqual([]);
  });

  test.each([
    ['light', 1440],
    ['dark', 390],
  ] as const)(
    'axe finds nothing to complain about, %s at %i pixels, filters open and a value read',
    async (colorScheme, width) => {
      const { page } = await openPage(width > 1000 ? studyPath : smallPath, { colorScheme, width });
      await page.locator('.controls summary').click();
      await page.evaluate(`document.querySelectorAll('details').forEach((one) => { one.open = true; })`);
      expect(await visible(page, 'details:not([open])').count()).toBe(0);
      expect(await visible(page, '#resources table, #distribution table').count()).toBe(2);
      await figure(page, 'percentiles').locator('.plot').first().focus();
      await page.keyboard.press('ArrowRight');
      await page.evaluate(axe);
      const { violations } = (await page.evaluate(`axe.run(document, { resultTypes: ['violations'] })`)) as {
        violations: { id: string; help: string; nodes: { html: string }[] }[];
      };
      expect(violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html.slice(0, 200)}`)).toEqual([]);
    },
  );

  test('everything can be reached and worked by keyboard alone', async () => {
    const { page } = await openPage(smallPath);
    await page.locator('.controls summary').focus();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowRight');
    await expect(page.locator('#shown').textContent()).resolves.toContain('response time');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await expect(page.locator('#shown').textContent()).resolves.toBe('8 of 12 cells, response time');
  });

  test.each([390, 900, 1440])('at %i pixels labels of ticks do not touch each other', async (width) => {
    const { page } = await openPage(smallPath, { width });
    const axes = (await page.evaluate(`[...document.querySelectorAll('.plot g[data-mark$="tick label"]')].map((axis) =>
      [...axis.querySelectorAll('text')].map((text) => [text.textContent, text.getBoundingClientRect().toJSON()]))`)) as [
      string,
      { left: number; right: number; top: number; bottom: number },
    ][][];
    expect(axes.length).toBeGreaterThan(20);
    expect(axes.flat().filter(([label]) => label === '')).toEqual([]);
    const touching = axes.flatMap((axis) =>
      axis.flatMap(([label, box], at) => {
        const [other, next] = axis[at + 1] ?? [];
        const isApart =
          !next ||
          next.left > box.right + 1 ||
          next.right < box.left - 1 ||
          next.bottom < box.top ||
          next.top > box.bottom;
        return isApart ? [] : [`${label} and ${other}`];
      }),
    );
    expect(touching).toEqual([]);
  });

  test('a time between two windows without requests is a dot', async () => {
    const sparse = { architectures: ['none'], services: [5], rates: [100], repetitions: 1, requests: 4 };
    const { page } = await openRun(sparse);
    expect(await figure(page, 'over-time').locator('circle[r="2"]').count()).toBe(4);
  });

  test('at 390 pixels names with a number stay on one line of the result, and no field is between backticks', async () => {
    const change = (cell: Cell): Cell => ({ ...cell, validity: { valid: true, reasons: [], flags: ['overlap'] } });
    const { page } = await openRun({ architectures, services: [5], rates: [100], change }, { width: 390 });
    const lines = `[...document.querySelectorAll('#answer .name')].map((one) => one.getClientRects().length)`;
    const found = (await page.evaluate(lines)) as number[];
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([1]));
    expect(await page.locator('#validity code').allTextContents()).toContain('turns.gap');
    expect(await page.locator('main').textContent()).not.toContain('`');
  });

  test('on paper the charts are there and the choices are not', async () => {
    const { page } = await openPage(smallPath, { width: 794 });
    await page.emulateMedia({ media: 'print' });
    expect(await figure(page, 'percentiles').locator('.plot svg').first().isVisible()).toBe(true);
    expect(await page.locator('.controls, .tools').filter({ visible: true }).count()).toBe(0);
  });

  test('without script the page has all figures, and no control that does nothing', async () => {
    const { page } = await openPage(studyPath, { javaScriptEnabled: false });
    expect(await visible(page, 'svg.box').count()).toBe(48);
    expect(await page.locator('.controls, .tools').filter({ visible: true }).count()).toBe(0);
    await expect(page.locator('#distribution').textContent()).resolves.toContain('needs the page’s script');
    expect(await page.locator('#distribution details tbody tr').count()).toBeGreaterThanOrEqual(48);
  });

  test('an overloaded system shows: its line rises over the load, and less is answered than was sent', async () => {
    const overloaded = {
      architectures: ['central-entity', 'sidecar'],
      services: [10],
      rates: [500],
      repetitions: 1,
      requests: 5000,
    };
    const { page } = await openRun(overloaded);
    await page.locator('#over-time [data-metric=rtt] summary').click();
    const cells = await page.locator('#over-time [data-metric=rtt] tbody tr').first().locator('td').allTextContents();
    const [first, last] = [Number(cells.at(-10)), Number(cells.at(-1))];
    expect(last).toBeGreaterThan(2 * first);
    const rates = await page
      .locator('#load details')
      .nth(1)
      .locator('tbody tr')
      .first()
      .locator('td')
      .allTextContents();
    expect(Number(rates.at(-2))).toBeLessThan(Number(rates.at(-3)) / 2);
  });

  test('the topology is drawn by architecture from the recorded inputs, with one request on its way', async () => {
    const run = join(folder, 'drawn');
    await syntheticRun(run, { ...study, architectures: ['none', 'sidecar'], services: [2], rates: [100] });
    const record = JSON.parse(await readFile(join(run, 'run.json'), 'utf8'));
    const head = 'apiVersion: topo-bench/v1\n';
    const topology = `${head}kind: Topology\nname: drawn\nservices: [{ name: s1, tags: [hot] }, { name: s2 }]\n`;
    const experiment = `${head}kind: Experiment\nname: e\ntopology: t.yaml\nfactors: { architecture: [none, sidecar] }\nload: { rate: 9 }\n`;
    record.inputs = {
      experiment: { file: 'e.yaml', text: experiment },
      topology: { file: 't.yaml', text: topology },
      choices: {},
    };
    await writeFile(join(run, 'run.json'), JSON.stringify(record));
    const { page, complaints } = await openPage(await writePage(run));
    const drawn = figure(page, 'topology');
    expect(await drawn.locator('select option').allTextContents()).toEqual(['none', 'sidecar']);
    expect(await drawn.locator('svg.diagram').getAttribute('aria-label')).toBe(
      'drawn with sidecar: 2 services on 1 nodes',
    );
    expect(await drawn.locator('.service title').first().textContent()).toMatch(/^s1 on node-1, step 1.*, tags hot$/);
    expect(await drawn.locator('.role.sidecar').count()).toBe(2);
    // Readers change nothing.
    expect(await drawn.locator('[role=button]').count()).toBe(0);
    const said: (string | null)[] = [];
    for (let hop = 1; hop <= 3; hop++) {
      await drawn.getByRole('button', { name: 'Next hop' }).click();
      said.push(await drawn.getByRole('status').textContent());
    }
    expect(said).toEqual([
      'hop 1 of 5: gateway passes the request on to s1-sidecar',
      'hop 2 of 5: s1-sidecar calls s1',
      'hop 3 of 5: s1-sidecar passes the request on to s2-sidecar',
    ]);
    await drawn.locator('select').selectOption('none');
    expect(await drawn.locator('.role').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

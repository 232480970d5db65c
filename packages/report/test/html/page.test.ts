/** The page in a real browser: nothing fetched, nothing run, nothing wider than the screen, everything there to be read. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readReport } from '../../src/model/report-model.ts';
import { writeReport } from '../../src/write-report.ts';
import { type SyntheticOptions, syntheticRun } from '../fixtures/synthetic-run.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const missing = !existsSync(executablePath) && process.env.CI !== 'true';
const published = fileURLToPath(new URL('../../../../experiments/published/routing-study.csv', import.meta.url));

const study: SyntheticOptions = {
  name: 'routing-study',
  architectures: ['central-entity', 'dynamic-router-3', 'dynamic-router-6', 'sidecar'],
  services: [5, 10, 25, 50],
  rates: [100, 500, 1000],
  repetitions: 2,
  requests: 120,
  change: (cell) =>
    cell.factors.services === 25 && cell.repetition === 2
      ? { ...cell, validity: { valid: false, reasons: ['generator was CPU-bound'], flags: [] } }
      : cell,
};

/** Writes a synthetic run with its page; path of the page. */
async function pageOf(folder: string, options: SyntheticOptions): Promise<string> {
  await syntheticRun(folder, options);
  return writeReport(folder, await readReport([folder], { boxPlots: true, published }));
}

describe.skipIf(missing)(`the page in Chromium${missing ? ` (skipped: no ${executablePath})` : ''}`, () => {
  let browser: Browser;
  let studyPath: string;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'topo-bench-page-'));
    studyPath = await pageOf(join(folder, 'run'), study);
    browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    });
  });
  afterAll(async () => {
    await browser?.close();
    await rm(dirname(dirname(studyPath)), { recursive: true, force: true });
  });

  /** The page, with everything that the browser complained about or asked for. */
  async function open(path: string, view: { width?: number; colorScheme?: 'light' | 'dark' } = {}) {
    const page = await browser.newPage({
      viewport: { width: view.width ?? 1000, height: 800 },
      colorScheme: view.colorScheme ?? 'light',
    });
    onTestFinished(() => page.close());
    const complaints: string[] = [];
    const requests: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      return dialog.dismiss();
    });
    page.on('request', (request) => requests.push(request.url()));
    const url = pathToFileURL(path).href;
    await page.goto(url);
    return { page, url, complaints, requests };
  }

  const openRun = async (options: SyntheticOptions) => open(await pageOf(await temporaryFolder(), options));

  test('the 48-cell study: no complaint, no request but the file itself, under 3 MB, a box plot per cell', async () => {
    const { page, url, complaints, requests } = await open(studyPath);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([url]);
    expect((await stat(studyPath)).size).toBeLessThan(3e6);
    expect(await page.locator('svg.box').count()).toBe(48);
    await expect(page.locator('#answer .headline').textContent()).resolves.toMatch(
      /had the lowest median round-trip time .* of 12 settings/,
    );
    await expect(page.locator('#validity').textContent()).resolves.toContain('generator was CPU-bound');
  });

  test.each([390, 900, 1440])('nothing is wider than a screen of %i pixels, and no text of a chart is cut', async (width) => {
    const { page } = await open(studyPath, { width });
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await cutLabels(page)).toEqual([]);
  });

  test('on paper the tables are open and fit its width', async () => {
    const { page } = await open(studyPath, { width: 794 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await page.locator('#round-trip-times details table').isVisible()).toBe(true);
  });

  test('every chart has its figures in a table that opens by keyboard', async () => {
    const { page } = await open(studyPath);
    for (const id of ['round-trip-times', 'load', 'cost']) {
      const details = page.locator(`#${id} details`).first();
      await details.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect(await details.getAttribute('open')).not.toBeNull();
      expect(await details.locator('tbody tr').count()).toBeGreaterThanOrEqual(48);
    }
  });

  test('boxes are where the axis says: the drawn median lies at its value', async () => {
    const { page } = await openRun({
      architectures: ['none', 'sidecar'],
      services: [5],
      rates: [100],
      repetitions: 2,
      requests: 100,
    });
    // Independent of the scale's code: interpolate between the two outer ticks on a logarithm and compare with the figure beside the box.
    const drawn = (await page.evaluate(`(() => {
      const place = (element) => element.getBoundingClientRect().left + element.getBoundingClientRect().width / 2;
      const us = (label) => Number.parseFloat(label) * (label.endsWith('ms') ? 1e3 : 1);
      const labels = [...document.querySelectorAll('.axis text')].map((text) => us(text.textContent));
      const lines = [...document.querySelectorAll('svg.box')[0].querySelectorAll('.grid line')].map(place);
      const last = labels.length - 1;
      return [...document.querySelectorAll('svg.box')].map((box) => {
        const share = (place(box.querySelector('.median')) - lines[0]) / (lines[last] - lines[0]);
        const value = labels[0] * (labels[last] / labels[0]) ** share;
        return { value, said: us(box.getAttribute('aria-label').match(/median ([\\d.]+ \\S+),/)[1]) };
      });
    })()`)) as { value: number; said: number }[];
    expect(drawn).toHaveLength(2);
    for (const { value, said } of drawn) expect(value / said).toBeCloseTo(1, 1);
  });

  test('names that are markup are shown and not run, wherever they come from', async () => {
    const evil = `<script>document.title="owned"</script><img src=x onerror=alert(1)>"'`;
    const { page, complaints, requests, url } = await openRun({
      name: evil,
      more: { engine: evil },
      architectures: ['none', `${evil}`, 'sidecar'],
      services: [5],
      rates: [100],
      repetitions: 2,
      requests: 20,
      topology: { name: evil },
      change: (cell) => ({
        ...cell,
        decisions: { ...cell.decisions, byRule: { [evil]: 3 } },
        exposureBytes: { [evil]: 5 },
        errors: { [evil]: 1 },
        cpuUsPerRequest: { ...cell.cpuUsPerRequest, [evil]: 5 },
        resources: { ...cell.resources, [evil]: { cpuPercent: 1 } },
        validity:
          cell.repetition === 1 ? { valid: true, reasons: [], flags: [evil] } : { valid: false, reasons: [evil], flags: [] },
      }),
    });
    expect(complaints).toEqual([]);
    expect(requests).toEqual([url]);
    expect(await page.title()).toContain('<script>');
    expect(await page.locator('script, img, iframe, object, embed, link').count()).toBe(0);
    await expect(page.locator('h1').textContent()).resolves.toBe(evil);
  });

  test('the policy forbids scripts even if one got into the page', async () => {
    const { page } = await openRun({ architectures: ['none'], services: [5], rates: [100], repetitions: 1, requests: 5 });
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="document.title=1">');
      const script = document.createElement('script'); script.textContent = 'document.title = "owned"'; document.body.append(script);`);
    await page.waitForTimeout(100);
    expect(await page.title()).not.toMatch(/owned|^1$/);
  });

  test.each(['light', 'dark'] as const)('text stands out from its background in %s mode', async (colorScheme) => {
    const { page } = await open(studyPath, { colorScheme });
    expect(await weakestContrast(page)).toBeGreaterThanOrEqual(4.5);
  });

  test('a run without any repetition, and one that was interrupted, have their page', async () => {
    const { page, complaints } = await openRun({ repetitions: 1, requests: 3, change: () => undefined, status: 'interrupted' });
    expect(complaints).toEqual([]);
    await expect(page.locator('.warning').textContent()).resolves.toContain('interrupted');
    await expect(page.locator('#validity').textContent()).resolves.toContain('16 not measured');
  });

  test('simulated figures are marked before the first of them', async () => {
    const { page } = await openRun({ source: 'simulated', repetitions: 1, requests: 5 });
    await expect(page.locator('.warning').textContent()).resolves.toContain('Simulated');
  });
});

/** Texts of charts that stick out of their drawing. */
async function cutLabels(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.axis text')].filter((text) => {
    const [inner, outer] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
    return inner.left < outer.left - 1 || inner.right > outer.right + 1;
  }).map((text) => text.textContent)`);
}

/** Lowest contrast ratio (WCAG 2.2, relative luminance) of any visible text to the background it is on. */
async function weakestContrast(page: Page): Promise<number> {
  return page.evaluate(`(() => {
    const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4))
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const background = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const colour = channels(getComputedStyle(at).backgroundColor);
        if (colour.length < 4 || colour[3] > 0) return colour;
      }
      return [255, 255, 255];
    };
    const texts = [...document.querySelectorAll('body *')].filter((element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '') && element.tagName !== 'title');
    return Math.min(...texts.map((element) => {
      const style = getComputedStyle(element);
      const pair = [luminance(channels(element.ownerSVGElement ? style.fill : style.color)), luminance(background(element))].sort((a, b) => b - a);
      return (pair[0] + 0.05) / (pair[1] + 0.05);
    }));
  })()`);
}

/**
 * The page in a real browser: nothing fetched, nothing foreign run, nothing wider than the screen, everything there to
 * be read.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { describeInChromium, openPage, openRun, pageOf, study } from '../fixtures/chromium-page.ts';

describeInChromium('the page', () => {
  let studyPath: string;
  beforeAll(async () => {
    studyPath = await pageOf(join(temporaryFolder(), 'run'), study);
  });

  test('the 48-cell study: no complaint, no request but the file itself, under 3 MB, a box plot per cell', async () => {
    const { page, url, complaints, requests } = await openPage(studyPath);
    expect(complaints).toEqual([]);
    expect(requests).toEqual([url]);
    expect((await stat(studyPath)).size).toBeLessThan(3e6);
    expect(await page.locator('svg.box').filter({ visible: true }).count()).toBe(48);
    await expect(page.locator('#answer .headline').textContent()).resolves.toMatch(
      /^No architecture is shown to be the fastest .* in any of 12 settings/,
    );
    await expect(page.locator('#validity').textContent()).resolves.toContain('generator was CPU-bound');
  });

  test('a repetition that was measured again is listed with its reason and both medians; its box plot has the last one', async () => {
    const { page } = await openPage(studyPath);
    const validity = page.locator('#validity');
    await expect(validity.locator('p').first().textContent()).resolves.toMatch(/; 1 was measured again\.$/);
    const rows = await page
      .getByRole('region', { name: 'repetitions measured again' })
      .locator('tbody tr')
      .allTextContents();
    expect(rows).toEqual([
      expect.stringMatching(/^sidecar.*5 services.*scheduler lag <p99> 1 msmedian round-trip time .* ms, then .* ms$/),
      expect.stringMatching(/scheduler lag <p99> 2 ms/),
    ]);
  });

  test.each([390, 900, 1440])(
    'nothing is wider than a screen of %i pixels, and no text of a chart is cut',
    async (width) => {
      const { page } = await openPage(studyPath, { width });
      expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(
        0,
      );
      expect(await cutLabels(page)).toEqual([]);
    },
  );

  test('time that a hypervisor gave to others is shown where there was any', async () => {
    const { page: busy } = await openPage(studyPath);
    expect(await busy.locator('#resources td').allTextContents()).toContain('2.0% idle, 1.5% stolen');
    const quiet = { architectures: ['none' as const], services: [5], rates: [100], repetitions: 1, requests: 50 };
    const { page } = await openRun(quiet);
    expect(await page.locator('#resources td').allTextContents()).toContain('40% idle');
  });

  test('on paper the tables are open and fit its width', async () => {
    const { page } = await openPage(studyPath, { width: 794 });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')).toBe(0);
    expect(await page.locator('#round-trip-times details table').first().isVisible()).toBe(true);
  });

  test('every chart has its figures in a table that opens by keyboard', async () => {
    const { page } = await openPage(studyPath);
    for (const id of ['answer', 'round-trip-times', 'distribution', 'over-time', 'load', 'cost']) {
      const details = page.locator(`#${id} details`).first();
      await details.locator('summary').focus();
      await page.keyboard.press('Enter');
      expect(await details.getAttribute('open')).not.toBeNull();
      expect(await details.locator('tbody tr').count()).toBeGreaterThanOrEqual(id === 'answer' ? 36 : 48);
    }
  });

  test('boxes match the axis: the drawn median lies at its value', async () => {
    const { page } = await openRun({
      architectures: ['none', 'sidecar'],
      services: [5],
      rates: [100],
      repetitions: 2,
      requests: 100,
    });
    // Independent of the scale's code: interpolate between the two outer ticks on a logarithm and compare with the
    // figure next to the box.
    const drawn = (await page.evaluate(`(() => {
      const place = (element) => element.getBoundingClientRect().left + element.getBoundingClientRect().width / 2;
      const us = (label) => Number.parseFloat(label) * (label.endsWith('ms') ? 1e3 : 1);
      const labels = [...document.querySelectorAll('[data-metric=rtt] .axis text')].map((text) => us(text.textContent));
      const lines = [...document.querySelectorAll('[data-metric=rtt] svg.box')[0].querySelectorAll('.grid line')].map(place);
      const last = labels.length - 1;
      return [...document.querySelectorAll('[data-metric=rtt] svg.box')].map((box) => {
        const share = (place(box.querySelector('.median')) - lines[0]) / (lines[last] - lines[0]);
        const value = labels[0] * (labels[last] / labels[0]) ** share;
        return { value, said: us(box.getAttribute('aria-label').match(/median ([\\d.]+ \\S+),/)[1]) };
      });
    })()`)) as { value: number; said: number }[];
    expect(drawn).toHaveLength(2);
    for (const { value, said } of drawn) expect(value / said).toBeCloseTo(1, 1);
  });

  test('names that are markup are shown and not run, from every source', async () => {
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
          cell.repetition === 1
            ? { valid: true, reasons: [], flags: [evil] }
            : { valid: false, reasons: [evil], flags: [] },
      }),
    });
    expect(complaints).toEqual([]);
    expect(requests).toEqual([url]);
    expect(await page.title()).toContain('<script>');
    expect(await page.locator('img, iframe, object, embed, link').count()).toBe(0);
    // The data and our own.
    expect(await page.locator('script').count()).toBe(2);
    await expect(page.locator('.controls').textContent()).resolves.toContain(evil);
    await expect(page.locator('.drawn .legend').first().textContent()).resolves.toContain(evil);
    await expect(page.locator('h1').textContent()).resolves.toBe(evil);
  });

  test('the policy forbids scripts even if one got into the page', async () => {
    const { page } = await openRun({
      architectures: ['none'],
      services: [5],
      rates: [100],
      repetitions: 1,
      requests: 5,
    });
    await page.evaluate(`document.body.insertAdjacentHTML('beforeend', '<img src="x" onerror="document.title=1">');
      const script = document.createElement('script'); script.textContent = 'document.title = "owned"'; document.body.append(script);`);
    await page.waitForTimeout(100);
    expect(await page.title()).not.toMatch(/owned|^1$/);
  });

  test.each(['light', 'dark'] as const)('text contrasts with its background in %s mode', async (colorScheme) => {
    const { page } = await openPage(studyPath, { colorScheme });
    expect(await weakestContrast(page)).toBeGreaterThanOrEqual(4.5);
  });

  test('a run without any repetition, and one that was interrupted, have their page', async () => {
    const { page, complaints } = await openRun({
      repetitions: 1,
      requests: 3,
      change: () => undefined,
      status: 'interrupted',
    });
    expect(complaints).toEqual([]);
    await expect(page.locator('.warning').textContent()).resolves.toContain('interrupted');
    await expect(page.locator('#validity').textContent()).resolves.toContain('16 not measured');
    expect(await page.locator('figure, .controls').count()).toBe(0);
  });

  test('simulated figures are marked before the first of them', async () => {
    const { page } = await openRun({ source: 'simulated', repetitions: 1, requests: 5 });
    await expect(page.locator('.warning').textContent()).resolves.toContain('Simulated');
  });
});

/** Texts of charts that stick out of their drawing. */
async function cutLabels(page: Page): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('.axis text, .plot svg text')].filter((text) => {
    const [inner, outer] = [text.getBoundingClientRect(), text.closest('svg').getBoundingClientRect()];
    return inner.width > 0 && (inner.left < outer.left - 1 || inner.right > outer.right + 1);
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
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim() !== '') && !['title', 'SCRIPT', 'NOSCRIPT', 'STYLE'].includes(element.tagName) && element.getClientRects().length > 0);
    return Math.min(...texts.map((element) => {
      const style = getComputedStyle(element);
      const pair = [luminance(channels(element.ownerSVGElement ? style.fill : style.color)), luminance(background(element))].sort((a, b) => b - a);
      return (pair[0] + 0.05) / (pair[1] + 0.05);
    }));
  })()`);
}

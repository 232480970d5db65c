/** CPU and event loops on the time axis of the requests, in a real browser. */
import { join } from 'node:path';
import type { CellTimeline, SlowRequests } from '@topo-bench/core/schema/result';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../test/fixtures/small-files.ts';
import { describeInChromium, openPage, pageOf } from '../fixtures/chromium-page.ts';

/** Ten seconds of a role that uses `percent` of a core, and 60% more in the sixth second. */
const series = (percent: number) => {
  const cpuPercent = Array.from({ length: 10 }, (_, at) => (at === 5 ? percent + 60 : percent));
  return { cpuPercent, busyShare: cpuPercent.map((cpu) => cpu / 100) };
};

const timeline = (service: number): CellTimeline => ({
  intervalMs: 1000,
  roles: { gateway: series(5), service: series(service) },
  host: { busyPercent: Array.from({ length: 10 }, () => 60), foreignPercent: Array.from({ length: 10 }, () => 10) },
  events: [],
  clockErrorMs: 0,
});

/** Two episodes in one repetition. */
const slow: SlowRequests = {
  limitMs: 40,
  count: 30,
  episodes: [
    {
      startMs: 2000,
      endMs: 2150,
      requests: 14,
      slowestMs: 170,
      cause: { kind: 'event-loop', role: 'svc-1', durationMs: 148 },
    },
    { startMs: 5000, endMs: 5200, requests: 16, slowestMs: null, cause: { kind: 'unknown' } },
  ],
};

describeInChromium('use of processors over a repetition', () => {
  let path: string;
  let older: string;
  beforeAll(async () => {
    const folder = temporaryFolder();
    const options = { architectures: ['none', 'sidecar'], services: [5], rates: [100], repetitions: 2, requests: 100 };
    path = await pageOf(join(folder, 'new'), {
      ...options,
      change: (cell) => ({
        ...cell,
        timeline: timeline(10 * cell.repetition),
        slow:
          cell.repetition === 2 && cell.factors.architecture === 'none'
            ? slow
            : { limitMs: 40, count: 0, episodes: [] },
      }),
    });
    older = await pageOf(join(folder, 'old'), options);
  });

  const panels = (page: Page, name: string) => page.locator(`[data-figure="${name}"] .plot`);

  test('requests, CPU and event loops have one time axis, and one crosshair with the times of all cells', async () => {
    const { page, complaints } = await openPage(path);
    expect(await panels(page, 'usage').locator('.plot-title').allTextContents()).toEqual([
      'Requests',
      'CPU',
      'Event loops',
    ]);
    const cpu = panels(page, 'usage').nth(1);
    await page.locator('[data-figure=usage] select').selectOption('none, repetition 1');
    await cpu.focus();
    // The sixth interval of the first line.
    for (let i = 0; i < 6; i++) await page.keyboard.press('ArrowRight');
    await expect.poll(() => cpu.locator('output').textContent()).toBe('gateway: 5.5 s, 65%');
    await expect
      .poll(() => panels(page, 'usage').nth(2).locator('output').textContent())
      .toBe('5.5 s: gateway 65%, service 70%');
    const places = (await page.evaluate(
      `[...document.querySelectorAll('.crosshair')].map((line) => {
        const svg = line.ownerSVGElement;
        return [line.closest('figure').dataset.figure, svg.scale('x').invert(Number(line.getAttribute('x1'))).toFixed(2)];
      })`,
    )) as [string, string][];
    expect(places).toEqual([
      ['over-time', '5.50'],
      ['usage', '5.50'],
      ['usage', '5.50'],
      ['usage', '5.50'],
    ]);
    const domains = await page.evaluate(
      `[...document.querySelectorAll('[data-figure="over-time"] svg[role=img], [data-figure=usage] .plot > svg')].map((svg) => svg.scale('x').domain.join())`,
    );
    expect(new Set(domains as string[]).size).toBe(1);
    await page.keyboard.press('Escape');
    expect(await page.locator('.crosshair').count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('another repetition can be chosen, and the choice follows the filters', async () => {
    const { page } = await openPage(path);
    const select = page.locator('[data-figure=usage] select');
    // The one with the longest episode comes first.
    expect(await select.inputValue()).toBe('none, repetition 2');
    expect(await select.locator('option').allTextContents()).toEqual([
      'none, repetition 1',
      'none, repetition 2',
      'sidecar, repetition 1',
      'sidecar, repetition 2',
    ]);
    await select.selectOption('sidecar, repetition 2');
    const cpu = panels(page, 'usage').nth(1);
    await cpu.focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => cpu.locator('output').textContent()).toBe('service: 1.5 s, 20%');
    await page.locator('.controls summary').click();
    await page.getByLabel('none', { exact: true }).uncheck();
    expect(await select.inputValue()).toBe('sidecar, repetition 2');
    await page.getByLabel('sidecar', { exact: true }).uncheck();
    expect(await panels(page, 'usage').count()).toBe(0);
  });

  test('episodes of slow requests are marked, counted, and named with their cause', async () => {
    const { page } = await openPage(path);
    await expect(page.locator('#over-time').textContent()).resolves.toContain(
      'Slow requests: 2 episodes in 4 repetitions (30 requests): busy event loop 1, cause unknown 1.',
    );
    const bands = (at: number) => panels(page, 'usage').nth(at).locator('g[data-mark=rect] rect').count();
    expect([await bands(0), await bands(1), await bands(2)]).toEqual([2, 2, 2]);
    // One mark per episode, beyond those of the slowest requests of each window.
    expect(await panels(page, 'over-time').locator('g[data-mark=dot] path').count()).toBe(2);
    const all = panels(page, 'over-time').first();
    await all.focus();
    await page.keyboard.press('ArrowUp');
    await expect
      .poll(() => all.locator('output').textContent())
      .toBe('none, repetition 2: 2.00 to 2.15 s: 14 slow requests, busy event loop of svc-1');
    const rows = await page.locator('table', { hasText: 'slow requests' }).locator('tbody tr').allTextContents();
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('busy event loop of svc-1, 148.0 ms');
    expect(rows[1]).toContain('unfinished');
  });

  test('results of earlier versions have no such chart', async () => {
    const { page, complaints } = await openPage(older);
    expect(await page.locator('[data-figure="usage"]').count()).toBe(0);
    expect(await panels(page, 'over-time').count()).toBe(1);
    expect(await page.locator('body').textContent()).not.toContain('Slow requests:');
    expect(complaints).toEqual([]);
  });
});

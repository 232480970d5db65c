/** The page of the workshop in a real browser. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { launchChromium, missing, whyMissing } from '../../report/test/fixtures/chromium-page.ts';
import { editorText, openPage, openWorkshop, settled } from './fixtures/opened-workshop.ts';
import { generated } from './fixtures/question.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const folder = temporaryFolder();

/** Rules that the page breaks, with their elements. */
async function violations(page: Page): Promise<string[]> {
  // Through the debugger: the content security policy allows no script but that of the page.
  const client = await page.context().newCDPSession(page);
  const expression = `${axe}; axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ target }) => target)))`;
  const { result } = await client.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true });
  return result.value as string[];
}

function keysOf(page: Page) {
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent');
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 80; presses++) {
      await page.keyboard.press('Tab');
      if (name.test(String(await focused()))) return;
    }
    expect.fail(`no element ${name} is reached by Tab`);
  };
  return { focused, tabTo };
}

const saveOf = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });
const headline = (page: Page) => page.textContent('.headline');

describe.skipIf(missing)(`the workshop in Chromium${whyMissing}`, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it('answers the walk: move a service, overload the central entity, compare, prove, save', async () => {
    const { server, text } = await openWorkshop();
    const before = text();
    const { page, complaints, requests } = await openPage(browser, server.url);
    await settled(page);
    expect(await headline(page)).toMatch(
      /^At 50 req\/s enforcement is fastest with a central entity: median 4\d\.\d ms/,
    );
    expect(await page.locator('.mark.simulated').first().textContent()).toContain('assumed, error unknown');
    expect(await page.getAttribute('.strip svg.box', 'aria-label')).toMatch(/^median 4\d(\.\d)? ms, quartiles/);

    // Dragged to the other region: the crossing of the ocean is gone, and comments stay.
    const hops = async () => (await page.locator('tr:has-text("hops between nodes") td').first().textContent()) ?? '';
    expect(await hops()).toBe('7.0');
    const service = page.locator('.service[data-service=payments]');
    await service.dragTo(page.locator('.lane[data-node="0"]'), { targetPosition: { x: 20, y: 300 } });
    await expect.poll(() => service.getAttribute('aria-label')).toContain('payments on eu-1');
    await expect.poll(async () => Number(await hops())).toBeLessThan(7);
    expect(await editorText(page)).toContain('- { name: payments, node: eu-1, tags: [payment] }');
    expect(text()).toBe(before);

    await page.fill('#set-cores', '16');
    await page.fill('#set-rate', '700');
    await page.press('#set-rate', 'Enter');
    await settled(page);
    const row = (architecture: string) => page.textContent(`.boxes tr:has(th:has-text("${architecture}"))`);
    expect(await row('central-entity')).toMatch(
      /central-entity is \d+% busy, so no time is stated; at most about \d+ req/,
    );
    expect(await row('sidecar')).toMatch(/\d ms.*\d ms/);
    expect(await headline(page)).toMatch(
      /^At 700 req\/s .*with a central entity, central-entity (cannot keep up|has almost no time left)/i,
    );

    await page.selectOption('#prove-what', 'sidecar');
    await page.click('text=Prove it on this machine');
    await expect
      .poll(() => page.textContent('.proofs'))
      .toContain('measured just now, 6 repetitions, 18 requests61 ms');
    expect(await page.textContent('.proofs')).toContain('simulated');

    await page.click('text=Undo');
    await expect.poll(() => service.getAttribute('aria-label')).toContain('payments on us-1');
    await page.click('text=Redo');
    await expect.poll(() => service.getAttribute('aria-label')).toContain('payments on eu-1');
    await saveOf(page).click();
    await expect.poll(text).toBe(before.replace('payments, node: us-1', 'payments, node: eu-1'));
    expect(complaints).toEqual([]);
    expect(
      requests.filter((url) => !url.startsWith(server.url) && !url.startsWith('blob:') && !url.startsWith('data:')),
    ).toEqual([]);
  });

  it('has the whole session in the address, and exports a page that simulates from a disk', async () => {
    const { server } = await openWorkshop();
    const { page } = await openPage(browser, server.url);
    await settled(page);
    await page.fill('#set-rate', '70');
    await page.fill('#notes', 'ask the auditors');
    const options = () => page.locator('#decide-option option').evaluateAll((all) => all.map(({ value }) => value));
    await expect.poll(options).toContain('dynamic-router-3');
    await page.selectOption('#decide-option', 'sidecar');
    await page.fill('#set-routers', '2');
    await page.press('#set-routers', 'Enter');
    await expect.poll(options).toEqual(['', 'central-entity', 'dynamic-router-2', 'sidecar']);
    expect(await page.inputValue('#decide-option')).toBe('sidecar');
    await page.locator('.service[data-service=audit]').focus();
    await page.keyboard.press('Shift+ArrowLeft');
    await settled(page);
    await page.click('text=Keep as B');
    await expect.poll(() => page.textContent('.variants')).toContain('70 req/s');
    await expect.poll(() => page.url()).toContain('#w1.');
    const expected = await page.textContent('table.figures');
    await page.waitForTimeout(500);
    await page.reload();
    await settled(page);
    expect(await page.textContent('table.figures')).toBe(expected);
    expect(await page.inputValue('#notes')).toBe('ask the auditors');

    const [download] = await Promise.all([page.waitForEvent('download'), page.click('text=Export page')]);
    const path = join(folder, 'exported.html');
    await download.saveAs(path);
    const exported = await openPage(browser, pathToFileURL(path).href);
    await settled(exported.page);
    expect(await exported.page.textContent('table.figures')).toBe(expected);
    expect(await exported.page.isDisabled('text=Prove it on this machine')).toBe(true);
    await exported.page.fill('#set-rate', '30');
    await exported.page.press('#set-rate', 'Enter');
    await expect.poll(() => headline(exported.page)).toContain('At 30 req/s');
    expect(exported.complaints).toEqual([]);
  });

  it('is used by keyboard alone', async () => {
    const { server } = await openWorkshop();
    const { page } = await openPage(browser, server.url);
    await settled(page);
    const { focused, tabTo } = keysOf(page);
    await tabTo(/^orders on eu-1, step 1, decided by/);
    await page.keyboard.press('ArrowDown');
    expect(await focused()).toMatch(/^payments on us-1/);
    // The next answer is announced in its place, perhaps before this test reads it.
    await page.evaluate(
      `said = []; new MutationObserver(() => said.push(document.getElementById('said').textContent)).observe(document.getElementById('said'), { childList: true })`,
    );
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => page.evaluate('said')).toContain('payments is on eu-2 now');
    // The service keeps the focus, so it can be moved on.
    await expect.poll(focused).toMatch(/^payments on eu-2/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.isVisible('text=Explain its decision')).toBe(true);
    await tabTo(/^Explain its decision/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('.explained')).toMatch(/payments: (allow|deny|redact|reroute)/);
    await page.getByLabel('Topology as YAML text').focus();
    await page.keyboard.press('Tab');
    await tabTo(/^Rate, slider/);
    const rate = await page.inputValue('#set-rate');
    await page.keyboard.press('ArrowRight');
    expect(Number(await page.inputValue('#set-rate'))).toBeGreaterThanOrEqual(Number(rate));
    await page.keyboard.press('End');
    await expect.poll(() => headline(page)).toContain('At 2000 req/s');
    await tabTo(/^Prove it on this machine/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('.proofs')).toContain('measured');
  });

  it.each([
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const)('breaks no rule of axe at %d px, %s, and is no wider than the window', async (width, colorScheme) => {
    const { server } = await openWorkshop();
    const { page } = await openPage(browser, server.url, { width, colorScheme });
    await settled(page);
    await page.click('text=Keep as A');
    await page.click('text=Prove it on this machine');
    await expect.poll(() => page.textContent('.proofs')).toContain('measured');
    await page.locator('.service[data-service=audit]').click();
    expect(await violations(page)).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
  });

  it('shows problems of the text at their place, and keeps the figures of the last good text', async () => {
    const { server } = await openWorkshop();
    const { page } = await openPage(browser, server.url);
    await settled(page);
    const before = await headline(page);
    await page.locator('.cm-line', { hasText: 'name: shipping' }).click();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('9');
    await expect.poll(() => page.textContent('.problems')).toMatch(/topology:\d+:29 no node is named "eu-19"/);
    expect(await saveOf(page).isDisabled()).toBe(true);
    expect(await headline(page)).toBe(before);
    expect(await page.textContent('.answer .warning')).toContain('has errors');
  });

  it('offers to calibrate, and fits the calibration again with each proved cell', async () => {
    const { server } = await openWorkshop();
    const { page } = await openPage(browser, server.url);
    await settled(page);
    expect(await page.textContent('.calibration')).toContain('Nothing is calibrated here');
    expect(await page.textContent('.misfit')).toBe('It was measured elsewhere.');
    await page.click('text=Prove it on this machine');
    await expect
      .poll(() => page.textContent('.prove .job-status'))
      .toMatch(/^Measured: 61 ms at the median\. It is not part of a calibration: nothing is calibrated here/);

    const calibrate = page.getByRole('button', { name: 'Calibrate this machine' });
    await calibrate.click();
    await expect.poll(() => page.textContent('.calibration .job-status')).toContain('repetition 1 of 12');
    await page.locator('.calibration').getByRole('button', { name: 'Cancel' }).click();
    await expect.poll(() => page.textContent('.calibration .job-status')).toContain('cancelled');
    expect(await page.textContent('.section-head .mark')).toContain('assumed, error unknown');
    await calibrate.click();
    await expect.poll(() => page.textContent('.calibration .job-status')).toContain('Calibrated');
    const mark = () => page.textContent('.section-head .mark');
    const known = 'simulated · own, fitted to 13 cells: missed the median of held-out cells by 7%';
    expect(await mark()).toBe(`${known} on one machine, unknown here`);
    await page.selectOption('#set-machines', 'one');
    await settled(page);
    expect(await mark()).toBe(known);
    expect(await page.textContent('.progress-text')).toContain('90% intervals with the error of the calibration');
    expect(await page.isVisible('.misfit')).toBe(false);

    await page.click('text=Prove it on this machine');
    await expect.poll(() => page.textContent('.prove .job-status')).toContain('part of the calibration now');
    // The second cell alone: nothing was calibrated when the first one was measured.
    expect(await mark()).toContain('fitted to 14 cells');
    expect(await page.textContent('.proofs .scroll')).toContain('part of the calibration');
    await page.reload();
    await settled(page);
    expect(await mark()).toContain('fitted to 14 cells');
  });

  it('edits rules next to an explained decision, and saves them with their comments', async () => {
    const { server, rules } = await openWorkshop();
    const before = rules();
    const { page } = await openPage(browser, server.url);
    await settled(page);
    await page.locator('.service[data-service=audit]').click();
    await page.click('text=Explain its decision');
    await expect.poll(() => page.textContent('.explained')).toContain('eu-data-stays');
    await page.getByRole('button', { name: 'eu-data-stays, show its text' }).click();
    const inside = 'document.querySelector(".rules .editor").shadowRoot.activeElement?.ariaLabel';
    await expect.poll(() => page.evaluate(inside)).toBe('Rules as YAML text');
    // The cursor is at the rule; its effect is two lines below.
    for (const key of ['ArrowDown', 'ArrowDown', 'End']) await page.keyboard.press(key);
    for (const _ of 'deny') await page.keyboard.press('Backspace');
    await page.keyboard.type('den');
    await expect.poll(() => page.textContent('.problems')).toMatch(/rules:\d+:\d+ /);
    expect(await saveOf(page).isDisabled()).toBe(true);
    await page.keyboard.press('Control+Space');
    await expect.poll(() => page.locator('.cm-tooltip-autocomplete').textContent()).toContain('deny');
    await page.keyboard.press('Escape');
    for (const _ of 'den') await page.keyboard.press('Backspace');
    await page.keyboard.type('allow');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.textContent('.explained')).toContain('eu-data-stays (allow)');
    await page.waitForTimeout(500);
    await page.reload();
    await settled(page);
    await expect.poll(() => page.textContent('.file-state')).toBe('changed, not saved');
    await page.click('text=Keep as A');
    await expect.poll(() => page.textContent('.variants td')).toContain(', changed rules');
    await page.click('text=use the file');
    await expect.poll(() => page.textContent('.file-state')).toBe('as on the disk');
    await page.click('text=Restore');
    await expect.poll(() => page.textContent('.file-state')).toBe('changed, not saved');
    await saveOf(page).click();
    await expect.poll(rules).toBe(before.replace('effect: deny\n    priority: 3', 'effect: allow\n    priority: 3'));
  });

  it('saves a text with the line ends that it was opened with', async () => {
    const crlf = generated.replaceAll('\n', '\r\n');
    const { server, text } = await openWorkshop({ topology: crlf });
    const { page } = await openPage(browser, server.url);
    await settled(page);
    await page.locator('.cm-line', { hasText: 'name: chain' }).click();
    await page.keyboard.press('End');
    await page.keyboard.type('s');
    await expect.poll(() => saveOf(page).isEnabled()).toBe(true);
    await saveOf(page).click();
    await expect.poll(text).toBe(crlf.replace('chain', 'chains'));
  });

  it('decides by keyboard: curves, sensitivity, and a record whose confirmation can be run', {
    timeout: 400_000,
  }, async () => {
    const previous = process.cwd();
    process.chdir(folder);
    onTestFinished(() => process.chdir(previous));
    const { server } = await openWorkshop({ topology: generated.replace('generate: 24', 'generate: 3') });
    const { page } = await openPage(browser, server.url);
    await settled(page);
    await page.fill('#notes', 'ask the auditors\n<script>');
    // By keyboard alone.
    const { tabTo } = keysOf(page);
    await page.getByRole('button', { name: 'Prove it on this machine' }).focus();
    await page.keyboard.press('Tab');
    await page.keyboard.type('sidecar');
    expect(await page.inputValue('#decide-option')).toBe('sidecar');
    await tabTo(/^Decide$/);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.textContent('.decide .job-status'), { timeout: 300_000 }).toContain('Decided: ');
    expect(await page.locator('.decided .plot svg').count()).toBe(1);
    expect(await page.locator('.decided tbody tr').count()).toBe(10);
    expect(await page.textContent('.decide .scope')).toMatch(/^The decision stands for all nodes on the calibrated/);
    expect(await page.isVisible('.outdated')).toBe(false);
    await page.fill('#price', '0.05');
    await page.fill('#set-rate', '60');
    await page.press('#set-rate', 'Enter');
    await expect.poll(() => page.textContent('.outdated')).toMatch(/^Outdated: settings, price changed since/);
    const downloaded = async (name: string): Promise<string> => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.click(`text="${name}"`)]);
      await download.saveAs(join(folder, name));
      return readFileSync(join(folder, name), 'utf8');
    };
    expect(await downloaded('record.confirm.yaml')).toContain('record: record.md');
    const record = await downloaded('record.md');
    expect(record).toContain('* ask the auditors');
    expect(record).not.toContain('<script>');
    expect(await violations(page)).toEqual([]);
  });

  it('shows 500 services as numbers, and stays usable', async () => {
    const { server } = await openWorkshop({ topology: generated.replace('generate: 24', 'generate: 500') });
    const { page } = await openPage(browser, server.url);
    await expect.poll(() => page.textContent('.too-many')).toContain('500 services are too many to draw one by one');
    await page.fill('#set-rate', '5');
    await page.press('#set-rate', 'Enter');
    await expect.poll(() => headline(page), { timeout: 100_000 }).toContain('At 5 req/s');
  });

  it('reports that the server has ended, and continues its predictions', async () => {
    const { server } = await openWorkshop();
    const { page } = await openPage(browser, server.url);
    await settled(page);
    await server.close();
    await expect.poll(() => page.textContent('.ended')).toContain('The workshop has ended');
    expect(await page.isDisabled('text=Prove it on this machine')).toBe(true);
    await page.fill('#set-rate', '20');
    await page.press('#set-rate', 'Enter');
    await expect.poll(() => headline(page)).toContain('At 20 req/s');
  });

  it('keeps two tabs apart: one measurement at a time, and no text is overwritten', async () => {
    let release = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { server, text } = await openWorkshop({ fake: { onMeasure: () => waiting } });
    const [first, second] = [await openPage(browser, server.url), await openPage(browser, server.url)];
    await Promise.all([settled(first.page), settled(second.page)]);
    await first.page.click('text=Prove it on this machine');
    await expect.poll(() => first.page.textContent('.prove .job-status')).toContain('repetition 1 of 6');
    await second.page.click('text=Prove it on this machine');
    await expect
      .poll(() => second.page.textContent('.prove .job-status'))
      .toContain('a job is running or being torn down');
    await first.page.locator('.prove').getByRole('button', { name: 'Cancel' }).click();
    release();
    await expect.poll(() => first.page.textContent('.prove .job-status')).toContain('cancelled');
    for (const [{ page }, service, key] of [
      [first, 'audit', 'ArrowLeft'],
      [second, 'orders', 'ArrowRight'],
    ] as const) {
      await page.locator(`.service[data-service=${service}]`).focus();
      await page.keyboard.press(`Shift+${key}`);
      await expect.poll(() => saveOf(page).isEnabled()).toBe(true);
    }
    await saveOf(first.page).click();
    await expect.poll(text).toContain('- { name: audit, node: eu-1 }');
    await saveOf(second.page).click();
    await expect.poll(() => second.page.textContent('#toast')).toContain('has changed on the disk');
    expect(text()).toContain('- { name: orders, node: eu-1 }');
  });
});

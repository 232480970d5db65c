/** The sliders of a report: the graphs of its cells, and what the page does with them in a real browser. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { architectureLevel, cellKey } from '@topo-bench/core';
import { renderPage, reportOf, type WhatIfOfRun } from '@topo-bench/report';
import { studyReportOf } from '@topo-bench/studies';
import type { Graph } from '@topo-bench/topology';
import { open, type Run, type Workbench } from '@topo-bench/workbench';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { buildPageScript } from '../../report/build/page-script.mjs';
import { describeInChromium, openPage } from '../../report/test/fixtures/chromium-page.ts';
import { onFake } from '../../workbench/test/fixtures/shop.ts';
import { buildPageScripts, packedWorker } from '../build/page-scripts.mjs';
import { readGraph } from '../src/predict/read-topology.ts';
import { fitted } from './fixtures/opened-workshop.ts';
import { generated } from './fixtures/question.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const experiment = `apiVersion: topo-bench/v1
kind: Experiment
name: chain
topology: chain.yaml
set: { defaults.work: 40us }
factors: { architecture: [none, dynamic-router], routers: [2, 3], services: [4, 8], rulesPerService: [0, 3] }
repetitions: 2
warmup: { requests: 300 }
load: { rate: 40 }
`;
const opened = (text = experiment, topology = generated): Promise<Workbench> =>
  open({ experiment: 'study.yaml', files: { 'study.yaml': text, 'chain.yaml': topology } });

let bench: Workbench;
let run: Run;
let whatIf: WhatIfOfRun;
let page: string;
beforeAll(async () => {
  bench = await opened();
  run = await bench.run(onFake().setting);
  // The backend in memory has times and no requests: boxes are those of the summaries.
  rmSync(join(run.folder, 'samples'), { recursive: true });
  const report = await run.report({ boxPlots: true });
  whatIf = report.study.whatIf?.() as WhatIfOfRun;
  const [{ worker, whatIf: sliders }, { text }] = await Promise.all([buildPageScripts(root), buildPageScript(root)]);
  const own = fitted([]);
  const { cpuModel, cores, node } = run.record.environment;
  const calibration = { ...own, cores, ...(own.fit && { fit: { ...own.fit, cpuModel, node } }) };
  const simulator = { calibration, script: sliders.text, worker: packedWorker(worker.text) };
  page = renderPage(report, text, simulator);
  // Pages are too long to be printed.
  expect(renderPage(report, text, simulator) === page).toBe(true);
  expect(renderPage(report, text).includes('what-if')).toBe(false);
});

it('a flow that names its services one by one has one size', async () => {
  expect(whatIf.hasSizes).toBe(true);
  const named = generated.replace(/services:.*/, 'services: [{ name: a }, { name: b }]\nflow: [a, b]');
  const other = await (await opened(experiment.replace('services: [4, 8], ', ''), named)).run(onFake().setting);
  expect((await other.report({ boxPlots: true })).study.whatIf?.()?.hasSizes).toBe(false);
});

it('a factor with a name of its own that sets the size is a choice, and each size has its measured boxes', async () => {
  const sizes = experiment.replace('services: [4, 8]', 'size: { small: { services: 4 }, large: { services: 8 } }');
  const other = await (await opened(sizes)).run(onFake().setting);
  const { settings = [] } = (await other.report({ boxPlots: true })).study.whatIf?.() ?? {};
  expect(settings.map(({ title, cells }) => [title, new Set(cells.map(({ services }) => services))])).toEqual([
    ['size small · 0 rules per service', new Set([4])],
    ['size small · 3 rules per service', new Set([4])],
    ['size large · 0 rules per service', new Set([8])],
    ['size large · 3 rules per service', new Set([8])],
  ]);
});

it('the page loads the graph of every cell', () => {
  expect(whatIf.settings.map(({ title, servedBefore }) => [title, servedBefore])).toEqual([
    ['0 rules per service', 300],
    ['3 rules per service', 300],
  ]);
  const known = new Map(bench.cells.map((cell) => [cellKey(cell.levels), cell]));
  for (const { cells, overrides, texts } of whatIf.settings) {
    for (const { architecture, services, rate, levels } of cells) {
      const settings = { rate, services, cores: 2, machines: 'one' as const };
      const text = whatIf.texts[texts] as WhatIfOfRun['texts'][number];
      const { graph, problems } = readGraph(text, settings, architecture, overrides);
      expect(problems).toEqual([]);
      expect(architectureLevel((graph as Graph).enforcement)).toBe(architecture);
      expect(partsOf(graph)).toEqual(partsOf(known.get(cellKey(levels))?.graph));
      known.delete(cellKey(levels));
    }
  }
  expect(known.size).toBe(0);
});

/** Without the number of routers, which other architectures do not have. */
function partsOf(graph: Graph | undefined) {
  const { source: _, enforcement, ...parts } = graph as Graph;
  return { ...parts, engine: enforcement.engine };
}

it('the policy of the page allows its scripts by hash, and a worker', () => {
  const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? '';
  expect(policy).not.toContain('unsafe');
  expect(policy).toMatch(/script-src &#39;sha256-\S+ &#39;sha256-\S+; worker-src blob:;/);
});

it.each([
  ['events', 'events: [{ at: 1s, crash: gateway, restart: 1s }]'],
  ['constant arrivals', 'load: { rate: 40, arrivals: constant }'],
  ['levels that take turns', 'deploy: interleaved'],
])('there are no sliders for a run with %s', async (_, line) => {
  const [field = ''] = line.split(':');
  const text = `${experiment.replace(new RegExp(`^${field}:.*\n`, 'm'), '')}${line}\n`;
  const other = await (await opened(text)).run(onFake().setting);
  expect((await other.report({ boxPlots: true })).study.whatIf?.()).toBeUndefined();
});

it('there are none for several runs, and for a simulated one', async () => {
  const runs = [run, run].map((one) => ({ ...one, cells: [...one.cells] }));
  expect((await reportOf(runs, studyReportOf)).study.whatIf?.()).toBeUndefined();
  const simulation = { calibration: 'own', sha256: '', machine: 'M9', cores: 2, assumed: false };
  const [first] = runs as [(typeof runs)[number]];
  const simulated = { ...first, record: { ...first.record, simulation } };
  expect((await reportOf([simulated], studyReportOf)).study.whatIf?.()).toBeUndefined();
});

describeInChromium('sliders of a report', () => {
  const path = join(temporaryFolder(), 'report.html');
  const widths = [1440, 900, 390];

  it('sliders predict by keys, above the nearest measured boxes, at every width', async () => {
    writeFileSync(path, page);
    for (const width of widths) {
      const { page: tab, complaints, requests, url } = await openPage(path, { width });
      const part = tab.locator('#what-if');
      const rows = () => part.locator('tbody tr th').allTextContents();
      const settled = () => expect.poll(() => part.locator('.progress-text').textContent()).toMatch(/^8 replications/);
      await part.scrollIntoViewIfNeeded();
      await settled();
      expect(await rows()).toEqual([
        'nonesimulated',
        'measured40 req/s, N 4',
        'dynamic-router-2simulated',
        'measured40 req/s, N 4',
        'dynamic-router-3simulated',
        'measured40 req/s, N 4',
      ]);
      expect(await part.locator('svg.box').count()).toBe(6);
      expect(await part.locator('.mark.simulated').textContent()).toBe(
        'simulated · own, fitted to 13 cells: missed the median of held-out cells by 7%',
      );
      if (width === 1440) {
        await part.getByLabel('Services (N), slider').press('ArrowRight');
        expect(await part.getByLabel('Services (N)', { exact: true }).inputValue()).toBe('5');
        await part.getByLabel('Services (N), slider').press('ArrowLeft');
        expect(await part.getByLabel('Services (N)', { exact: true }).inputValue()).toBe('4');
        await settled();
        const before = usOf(await part.locator('.number b').first().textContent());
        for (const _ of '123') await part.getByLabel('Services (N), slider').press('PageUp');
        await settled();
        expect((await rows())[1]).toBe('measured40 req/s, N 8');
        expect(await part.getByLabel('Services (N)', { exact: true }).inputValue()).toBe('16');
        expect(usOf(await part.locator('.number b').first().textContent())).toBeGreaterThan(1.3 * before);
        await part.getByLabel('Rate, slider').press('End');
        await expect.poll(() => part.locator('.limit').first().textContent()).toMatch(/overloaded|near its capacity/);
        await part.getByLabel('Setting').selectOption('3 rules per service');
        await settled();
      }
      expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      expect(complaints).toEqual([]);
      expect(requests.filter((one) => !one.startsWith('blob:'))).toEqual([url]);
      await tab.close();
    }
  });
});

/** `1.2 ms` in µs. */
function usOf(text: string | null): number {
  const [value, unit = ''] = (text ?? '').split(' ');
  return Number(value) * ({ µs: 1, ms: 1e3, s: 1e6 }[unit] ?? Number.NaN);
}

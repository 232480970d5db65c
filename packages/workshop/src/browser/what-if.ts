/**
 * The sliders of a report: rate and number of services, and what the simulator predicts of every architecture there,
 * above the nearest measured boxes.
 */
import type { WhatIfData } from '@topo-bench/report/browser';
import { settingLimit } from '../predict/settings.ts';
import { boxTable } from './answers.ts';
import { h } from './element.ts';
import { inflated } from './inflated.ts';
import { progressText } from './marks.ts';
import { sentence } from './sentence.ts';
import { type Control, sliderOf } from './slider.ts';
import { WorkerClient } from './worker-client.ts';

type Setting = WhatIfData['settings'][number];
type Measured = Setting['cells'][number];
/** What an answer is for: the sliders may have moved since. */
interface Asked {
  setting: Setting;
  rate: number;
  services: number;
}
type Cells = Parameters<typeof boxTable>[0]['cells'];

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';
const data = JSON.parse(textOf('what-if-data')) as WhatIfData;
const figure = document.querySelector<HTMLElement>('[data-figure=what-if]') as HTMLElement;
const drawing = figure.querySelector('.drawing') as HTMLElement;
const progress = h('span', { class: 'progress-text', role: 'status' });
const failure = h('p', { class: 'warning', hidden: true });
let worker: WorkerClient | undefined;

let setting = data.settings[0] as Setting;
let { rate, services } = setting.cells[0] as Measured;

const rateControl: Control = { name: 'rate', label: 'Rate', unit: 'req/s', min: 1, max: 2000, log: true };
const sizeControl: Control = {
  name: 'services',
  label: 'Services (N)',
  unit: 'in the flow',
  min: 1,
  max: 100,
  log: true,
};
const levelsOf = (of: (cell: Measured) => number): number[] => [
  ...new Set(data.settings.flatMap((one) => one.cells.map(of))),
];
const rates = { limit: settingLimit('rate'), marked: levelsOf((cell) => cell.rate), resets: false };
const rateSlider = sliderOf(rateControl, rates, (value = rate) => {
  rate = value;
  ask();
});
const sizes = { limit: settingLimit('services'), marked: levelsOf((cell) => cell.services), resets: false };
const sizeSlider = sliderOf(sizeControl, sizes, (value = services) => {
  services = value;
  ask();
});

/** The other factors of the run; undefined where it varies no other. */
function settingChoice(): HTMLElement | undefined {
  if (data.settings.length < 2) return undefined;
  const select = h(
    'select',
    { id: 'set-setting' },
    ...data.settings.map(({ title }, at) => h('option', { value: at }, title)),
  );
  select.addEventListener('change', () => {
    setting = data.settings[Number(select.value)] as Setting;
    ask();
  });
  const head = h('div', { class: 'control-head' }, h('label', { for: 'set-setting' }, 'Setting'));
  return h('div', { class: 'control' }, head, select);
}

function ask(): void {
  rateSlider.show(rate);
  sizeSlider.show(services);
  if (!worker) return;
  const asked = { setting, rate, services };
  const { texts, overrides, servedBefore } = setting;
  const architectures = [...new Set(setting.cells.map(({ architecture }) => architecture))];
  progress.textContent = progressText({ done: 0, rounds: 0 });
  worker.ask(
    {
      texts: data.texts[texts] as WhatIfData['texts'][number],
      settings: { rate, cores: data.cores, machines: 'one', servedBefore, ...(data.hasSizes && { services }) },
      ...{ calibration: { demand: data.demand }, overrides, architectures, cellsOnly: true },
    },
    (answer) => {
      const refused = answer.kind === 'read' ? answer.problems.find(({ severity }) => severity === 'error') : undefined;
      const fault = answer.kind === 'failed' ? answer : refused;
      if (fault) {
        drawing.replaceChildren();
        failure.textContent = sentence(fault);
        progress.textContent = '';
      }
      failure.hidden = fault === undefined;
      if (answer.kind !== 'cells') return;
      draw(answer.cells, asked);
      if (answer.done === answer.rounds) progress.textContent = progressText(answer);
    },
  );
}

function draw(predicted: Cells, asked: Asked): void {
  // Measured boxes are embedded without outliers.
  const cells = predicted.map(({ box, ...cell }) => ({ ...cell, ...(box && { box: { ...box, outliersUs: [] } }) }));
  const settings = { rate: asked.rate, cores: data.cores, machines: 'one' as const };
  drawing.innerHTML = boxTable(
    { cells, details: [], proofs: [], settings, topology: '' },
    nearestOf(asked),
    data.infinite,
  ).text;
}

/** Measured of that architecture: the number of services first, then the rate. */
function nearestOf({ setting: { cells }, services: N, rate: rps }: Asked): Parameters<typeof boxTable>[1] {
  const far = (value: number, from: number): number => Math.abs(Math.log(value / from));
  return (architecture) => {
    const [nearest] = cells
      .filter((cell) => cell.architecture === architecture)
      .toSorted((a, b) => far(a.services, N) - far(b.services, N) || far(a.rate, rps) - far(b.rate, rps));
    if (!nearest) return undefined;
    return { where: `${nearest.rate} req/s, N ${nearest.services}`, box: withInfinity(nearest.box) };
  };
}

/** JSON has null for it. */
function withInfinity(box: Measured['box']): Measured['box'] {
  const time = (us: number | null): number => us ?? Number.POSITIVE_INFINITY;
  const { lowUs, q1Us, medianUs, q3Us, highUs, repetitionMediansUs } = box;
  return {
    ...box,
    ...{ lowUs: time(lowUs), q1Us: time(q1Us), medianUs: time(medianUs), q3Us: time(q3Us), highUs: time(highUs) },
    repetitionMediansUs: repetitionMediansUs.map(time),
  };
}

/** Readers who never come here need no simulation. */
async function start(): Promise<void> {
  const [packed = ''] = textOf('simulator').split('\n', 1);
  worker = new WorkerClient(await inflated(packed));
  ask();
}

const form = h('form', { class: 'controls-grid', 'aria-label': 'Rate and size' });
form.addEventListener('submit', (event) => event.preventDefault());
const sliders = [settingChoice(), rateSlider.element, ...(data.hasSizes ? [sizeSlider.element] : [])];
form.append(...sliders.filter((one) => one !== undefined));
document.getElementById('what-if-controls')?.append(form, failure);
figure.querySelector('figcaption')?.after(progress);
ask();
const watch = new IntersectionObserver(
  (seen) => {
    if (!seen.some(({ isIntersecting }) => isIntersecting)) return;
    watch.disconnect();
    start().catch((error: unknown) => {
      failure.textContent = `The sliders cannot start: ${String(error)}`;
      failure.hidden = false;
    });
  },
  { rootMargin: '300px' },
);
watch.observe(form);

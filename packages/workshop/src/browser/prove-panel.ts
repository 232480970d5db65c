/** “Prove it”: measures one cell on this machine, and shows the measurement next to the prediction for this machine. */
import type { Calibration } from '@topo-bench/core/schema/calibration';
import type { Answer } from '../predict/answer.ts';
import type { PredictedCell } from '../predict/predicted-cell.ts';
import { figure } from './answers.ts';
import { useCalibration } from './calibration-text.ts';
import { h } from './element.ts';
import { rounded, spoken, us } from './headline.ts';
import { jobControl } from './job-control.ts';
import { ageOf } from './marks.ts';
import { here, isAsked, type Proof, predictedIn, predictedText, textsDigest } from './proofs.ts';
import { sentence } from './sentence.ts';
import type { ProveRequest } from './server-api.ts';
import type { Store } from './store.ts';
import { WorkerClient } from './worker-client.ts';

export function provePanel(store: Store, workerScript: string): HTMLElement {
  const select = h('select', { id: 'prove-what' });
  store.on(['cells'], ({ cells, architecture }) => {
    const names = cells.map((cell) => cell.architecture);
    if (names.join() === [...select.options].map(({ value }) => value).join()) return;
    const before = select.value || architecture;
    select.replaceChildren(...names.map((name) => h('option', { value: name }, spoken(name))));
    if (names.includes(before)) select.value = before;
  });
  const list = h('div', { class: 'proofs' });
  let asked: { request: ProveRequest; predicted: Promise<Proof['predicted']> };
  const { fields, status } = jobControl(store, {
    ...{ label: 'Prove it on this machine', path: 'prove' },
    canStart: ({ problems }) => !problems.some(({ severity }) => severity === 'error'),
    body() {
      const { topology, rules, settings } = store.state;
      const texts = { topology, ...(rules !== undefined && { rules }) };
      const request = { texts, settings, architecture: select.value };
      asked = { request, predicted: predictedHere(store, request, workerScript) };
      return request;
    },
    async take(event) {
      if (event.kind === 'calibrated') {
        useCalibration(store, event);
        return 'It is part of the calibration now: the figures of this page follow from it.';
      }
      if (event.kind === 'not-added') return `It is not part of a calibration: ${sentence(event)}.`;
      if (event.kind !== 'measured') return '';
      const { settings, texts } = asked.request;
      const proof: Proof = {
        ...{ measured: event.cell, predicted: await asked.predicted },
        ...{ settings, texts: textsDigest(texts) },
      };
      store.set({ proofs: [proof, ...store.state.proofs].slice(0, 6) });
      return `Measured: ${us(event.cell.median.value)} at the median.`;
    },
  });
  store.on(['proofs', 'topology', 'rules', 'settings', 'calibration'], (state) => {
    list.replaceChildren(...state.proofs.map((proof) => proofTable(proof, isAsked(proof, state), state.calibration)));
  });
  const lead =
    'Deploys the chosen architecture as real processes on this machine, warms them up, and measures six repetitions of three seconds, in about a minute. The cell is then fitted together with those of the calibration. The prediction next to it is for this machine: all nodes share its cores.';
  return h(
    'section',
    { 'aria-labelledby': 'prove-title', class: 'prove' },
    h('h2', { id: 'prove-title' }, 'Prove it'),
    h('p', { class: 'note' }, lead),
    h(
      'div',
      { class: 'fields' },
      h('span', { class: 'labelled' }, h('label', { for: 'prove-what' }, 'Measure'), select),
      ...fields,
    ),
    status,
    list,
  );
}

/** The same cell, with all nodes on one machine. */
function predictedHere(
  store: Store,
  { texts, settings, architecture }: ProveRequest,
  script: string,
): Promise<Proof['predicted']> {
  const worker = new WorkerClient(script);
  const question = { texts, ...here({ ...store.start, ...store.state }, settings) };
  return new Promise((resolve) => {
    let cells: readonly PredictedCell[] = [];
    worker.ask(question, (answer: Answer) => {
      if (answer.kind === 'read') return;
      if (answer.kind === 'cells') {
        ({ cells } = answer);
        return;
      }
      worker.close();
      resolve(predictedIn(answer, cells, architecture));
    });
  });
}

function proofTable({ measured: found, predicted }: Proof, isOfPage: boolean, calibration: Calibration): HTMLElement {
  const { architecture, rate, repetitions, requests, invalid, flags, at, folder } = found;
  const table = h('table', { class: 'figures proof' });
  const row = (
    mark: string,
    text: string,
    median: Proof['predicted']['median'],
    p95: Proof['predicted']['p95'],
  ): HTMLElement => {
    const cells = [median, p95].map((one) => {
      const cell = h('td', {});
      cell.innerHTML = figure(one).text;
      return cell;
    });
    return h('tr', {}, h('th', { scope: 'row' }, h('span', { class: `mark ${mark}` }, mark), ` ${text}`), ...cells);
  };
  const isPart = calibration.fit?.runs.some((run) => lastPart(run) === lastPart(folder)) ?? false;
  table.append(
    h(
      'caption',
      {},
      `${architecture} at ${rounded(rate)} req/s${isOfPage ? '' : ', other settings or texts than now'}`,
    ),
    h('thead', {}, h('tr', {}, ...['source', 'median', 'p95'].map((text) => h('th', { scope: 'col' }, text)))),
    h(
      'tbody',
      {},
      row(
        'measured',
        `${ageOf(at, Date.now())}, ${repetitions} repetitions, ${requests} requests${isPart ? ', part of the calibration' : ''}`,
        found.median,
        found.p95,
      ),
      row('simulated', predictedText(predicted), predicted.median, predicted.p95),
    ),
  );
  const ratio = predicted.median && found.median.value / predicted.median.value;
  const text = ratio === undefined ? '' : `The measured median is ${ratio.toFixed(2)} times the predicted one. `;
  const lost = invalid.length === 0 ? '' : `${invalid.length} repetitions were invalid: ${invalid[0]}. `;
  const marked = flags.length === 0 ? '' : `Marked: ${flags.join(', ')}. `;
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `Proof of ${architecture}` },
    table,
    h('p', { class: 'note' }, `${text}${lost}${marked}Run folder: ${folder}`),
  );
}

/** An exported page has no more of the path. */
function lastPart(path: string): string | undefined {
  return path.split(/[/\\]/).at(-1);
}

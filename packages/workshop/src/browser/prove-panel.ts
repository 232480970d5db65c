/** “Prove it”: measures one cell on this machine, and shows the measurement next to the prediction for this machine. */
import type { Answer } from '../predict/answer.ts';
import type { PredictedCell } from '../predict/predicted-cell.ts';
import { figure } from './answers.ts';
import { errorText } from './calibration-text.ts';
import { announce, h } from './element.ts';
import { rounded, spoken, us } from './headline.ts';
import { ageOf } from './marks.ts';
import { here, isAsked, type Proof, textsDigest } from './proofs.ts';
import type { ProveEvent, ProveRequest } from './server-api.ts';
import type { Start } from './start.ts';
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
  const button = h('button', { type: 'button', class: 'primary' }, 'Prove it on this machine');
  const cancel = h('button', { type: 'button', hidden: true }, 'Cancel');
  const bar = h('progress', { max: 1, value: 0, hidden: true, 'aria-label': 'Progress of the measurement' });
  const status = h('p', { class: 'prove-status', role: 'status' });
  const list = h('div', { class: 'proofs' });
  let controller: AbortController | undefined;

  const prove = async (): Promise<void> => {
    const { topology, rules, settings } = store.state;
    const request: ProveRequest = {
      texts: { topology, ...(rules !== undefined && { rules }) },
      settings,
      architecture: select.value,
    };
    controller = new AbortController();
    show(true);
    status.textContent = 'starting …';
    try {
      const predicted = predictedHere(store, request, workerScript);
      for await (const event of measured(request, controller.signal)) {
        if (event.kind === 'progress') {
          const { text, share, remainingSeconds } = event;
          bar.value = share;
          status.textContent =
            remainingSeconds === undefined ? text : `${text}, about ${Math.round(remainingSeconds)} s left`;
        } else if (event.kind === 'failed') {
          throw new Error([event.message, event.hint].filter(Boolean).join('. '));
        } else {
          const cell = await predicted;
          const { state, median, p95 } = cell ?? { state: 'unstable' as const };
          const proof: Proof = {
            measured: event.cell,
            predicted: { state, ...(median && { median }), ...(p95 && { p95 }) },
            ...{ settings, texts: textsDigest(request.texts) },
          };
          store.set({ proofs: [proof, ...store.state.proofs].slice(0, 6) });
          status.textContent = `measured: ${us(event.cell.median.value)} at the median`;
          announce(status.textContent);
        }
      }
    } catch (error) {
      status.textContent = controller.signal.aborted ? 'cancelled: everything is torn down' : reasonOf(error);
    } finally {
      show(false);
    }
  };
  const show = (isRunning: boolean): void => {
    bar.hidden = !isRunning;
    cancel.hidden = !isRunning;
    button.hidden = isRunning;
    if (isRunning) cancel.focus();
    else if (document.activeElement === document.body) button.focus();
  };
  button.addEventListener('click', () => void prove());
  cancel.addEventListener('click', () => controller?.abort());
  store.on(['alive', 'problems'], ({ alive, problems }) => {
    button.disabled = !alive || problems.some(({ severity }) => severity === 'error');
  });
  store.on(['proofs', 'topology', 'rules', 'settings'], (state) => {
    list.replaceChildren(...state.proofs.map((proof) => proofTable(proof, isAsked(proof, state), store.start)));
  });
  const lead =
    'Deploys the chosen architecture as real processes on this machine, warms them up, and measures six repetitions of three seconds, in about a minute. The prediction next to it is for this machine: all nodes share its cores.';
  return h(
    'section',
    { 'aria-labelledby': 'prove-title', class: 'prove' },
    h('h2', { id: 'prove-title' }, 'Prove it'),
    h('p', { class: 'note' }, lead),
    h(
      'div',
      { class: 'fields' },
      h('span', { class: 'labelled' }, h('label', { for: 'prove-what' }, 'Measure'), select),
      button,
      cancel,
      bar,
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
): Promise<PredictedCell | undefined> {
  const worker = new WorkerClient(script);
  const question = { texts, ...here(store.start, settings) };
  return new Promise((resolve) => {
    worker.ask(question, (answer: Answer) => {
      const isLast = answer.kind === 'failed' || (answer.kind === 'cells' && answer.done === answer.rounds);
      if (!isLast) return;
      worker.close();
      resolve(answer.kind === 'cells' ? answer.cells.find((cell) => cell.architecture === architecture) : undefined);
    });
  });
}

async function* measured(request: ProveRequest, signal: AbortSignal): AsyncGenerator<ProveEvent> {
  const response = await fetch('prove', {
    ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request), signal },
  });
  if (!response.ok || !response.body) {
    const { message, hint } = (await response.json()) as { message: string; hint?: string };
    throw new Error([message, hint].filter(Boolean).join('. '));
  }
  let rest = '';
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line) as ProveEvent;
    if (done) return;
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof TypeError) return 'the server of the workshop does not answer: it has ended, or was stopped';
  return error instanceof Error ? error.message : String(error);
}

function proofTable({ measured: found, predicted }: Proof, isOfPage: boolean, { calibration }: Start): HTMLElement {
  const { architecture, rate, repetitions, requests, invalid, at, folder } = found;
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
  const state =
    predicted.state === 'stable'
      ? `for this machine, ${errorText(calibration)}`
      : `for this machine: ${predicted.state}, no time stated`;
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
        `${ageOf(at, Date.now())}, ${repetitions} repetitions, ${requests} requests`,
        found.median,
        found.p95,
      ),
      row('simulated', state, predicted.median, predicted.p95),
    ),
  );
  const ratio = predicted.median && found.median.value / predicted.median.value;
  const text = ratio === undefined ? '' : `The measured median is ${ratio.toFixed(2)} times the predicted one. `;
  const lost = invalid.length === 0 ? '' : `${invalid.length} repetitions were invalid: ${invalid[0]}. `;
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': `Proof of ${architecture}` },
    table,
    h('p', { class: 'note' }, `${text}${lost}Run folder: ${folder}`),
  );
}

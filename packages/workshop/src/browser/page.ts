/** The page of the workshop: reads its start and its session, and connects worker, drawing, text and figures. */

import { controlPanel } from './controls.ts';
import { decidePanel } from './decide-panel.ts';
import { announce, h } from './element.ts';
import { header } from './header.ts';
import { provePanel } from './prove-panel.ts';
import { resultsPanel } from './results-panel.ts';
import { sentence } from './sentence.ts';
import { checked, fragmentOf, newSession, sessionOf } from './session.ts';
import type { Start } from './start.ts';
import { Store, sessionIn } from './store.ts';
import { topologyPanel } from './topology-panel.ts';
import { variantsPanel } from './variants-panel.ts';
import { WorkerClient } from './worker-client.ts';

/** Before anything changes it: the text of an export. */
const pristine = document.documentElement.outerHTML;

const textOf = (id: string): string => document.getElementById(id)?.textContent ?? '';

/** Waits for the pause after the last change of a drag or of typing. */
const addressAfterMs = 300;

async function open(): Promise<void> {
  const start = JSON.parse(textOf('start')) as Start;
  const workerScript = textOf('worker');
  const fresh = newSession(start);
  const session =
    (await sessionOf(location.hash, fresh)) ?? (start.exported && checked(start.exported.session, fresh)) ?? fresh;
  const store = new Store(start, {
    ...session,
    ...{
      drawings: {},
      problems: [],
      cells: [],
      details: undefined,
      done: 0,
      rounds: 0,
      routers: 3,
      failure: undefined,
    },
    ...{
      asked: session.settings,
      selected: undefined,
      alive: start.exported === undefined,
      calibration: start.calibration,
    },
  });
  const worker = new WorkerClient(workerScript);
  const panel = topologyPanel(store, worker);
  const ended = h('p', { class: 'warning ended', hidden: true, role: 'alert' });
  document
    .getElementById('app')
    ?.replaceWith(
      h('a', { class: 'skip', href: '#answer-title' }, 'Skip to the answer'),
      header(store, panel, pristine),
      h(
        'main',
        {},
        ended,
        panel.element,
        h(
          'div',
          { class: 'right' },
          h(
            'section',
            { 'aria-labelledby': 'load-title', class: 'load' },
            h('h2', { id: 'load-title' }, 'What if'),
            controlPanel(store),
          ),
          resultsPanel(store),
          provePanel(store, workerScript),
          decidePanel(store),
          variantsPanel(store, panel.change),
        ),
      ),
      h('footer', {}, h('p', {}, `topo-bench ${start.version}. No request leaves this machine.`)),
      h('div', { id: 'toast', 'aria-hidden': 'true' }),
      h('div', { id: 'said', role: 'status', class: 'hidden-text' }),
    );
  panel.start();
  store.on(['topology', 'rules', 'settings', 'calibration'], (state) => {
    const { topology, rules, settings, calibration } = state;
    // The figures shown are those of the question before.
    store.set({ done: 0, details: undefined });
    worker.ask({ texts: { topology, rules }, settings, calibration }, (answer) => {
      if (answer.kind === 'failed') store.set({ failure: sentence(answer) });
      else if (answer.kind === 'cells')
        store.set({
          cells: answer.cells,
          asked: settings,
          done: answer.done,
          rounds: answer.rounds,
          failure: undefined,
        });
      else if (answer.kind === 'details') store.set({ details: answer.details });
      else {
        const { problems, drawings, routers } = answer;
        const setting = problems.find(({ file }) => file === 'setting');
        const failure = setting && sentence(setting);
        const isNew = JSON.stringify(drawings) !== JSON.stringify(store.state.drawings);
        const hasDrawings = isNew && Object.keys(drawings).length > 0;
        store.set({ problems, routers, failure, ...(hasDrawings && { drawings }) });
      }
    });
  });
  keepAddress(store);
  if (!start.exported) void watchServer(store, ended);
}

function keepAddress(store: Store): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  store.on(['topology', 'rules', 'settings', 'architecture', 'price', 'variants', 'notes', 'proofs'], () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      history.replaceState(null, '', await fragmentOf(sessionIn(store.state)));
    }, addressAfterMs);
  });
  // A link that was pasted into the address of the open page.
  window.addEventListener('hashchange', () => location.hash.startsWith('#w1.') && location.reload());
}

/** The answer stays open until the server ends. */
async function watchServer(store: Store, ended: HTMLElement): Promise<void> {
  try {
    const { body } = await fetch('alive');
    await body?.getReader().read();
  } catch {
    // The connection broke.
  }
  store.set({ alive: false });
  ended.textContent =
    'The workshop has ended: predictions continue without it; Save, “Prove it”, Decide and Calibrate do not. Export the page to keep your work, or start `topo-bench workshop` again.';
  ended.hidden = false;
  announce(ended.textContent);
}

void open();

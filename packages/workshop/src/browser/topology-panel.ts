/** The left side: the topology as a drawing and as text, and what can be done with its services and links. */
import { drawDiagram, maxDrawn, Travel } from '@topo-bench/report/browser';
import type { Drawing } from '../predict/drawing.ts';
import type { PageProblem, Texts } from '../predict/read-topology.ts';
import type { KnownNames } from './completion.ts';
import { addService, deleteService, moveService, setDelay } from './edit-topology.ts';
import { TextEditor } from './editor.ts';
import { announce, h } from './element.ts';
import { spoken } from './headline.ts';
import { inspector } from './inspector.ts';
import { ruleLine } from './rule-line.ts';
import type { Store } from './store.ts';
import type { WorkerClient } from './worker-client.ts';

export interface TopologyPanel {
  element: HTMLElement;
  editor(): TextEditor;
  /** Both texts become those. */
  change(texts: Texts): void;
  /** The editors need their place in the page. */
  start(): void;
}

export function topologyPanel(store: Store, worker: WorkerClient): TopologyPanel {
  let editor: TextEditor | undefined;
  let rulesEditor: TextEditor | undefined;
  const change = (text: string, said: string): void => {
    if (text === store.state.topology) return;
    editor?.change(text);
    announce(said);
  };
  const drawn = (): Drawing | undefined =>
    store.state.drawings[store.state.architecture] ?? Object.values(store.state.drawings)[0];
  const placed = () =>
    (drawn()?.services ?? []).map(({ name, node }) => ({ name, node: drawn()?.nodes[node]?.name ?? '' }));
  const actions = {
    move: (name: string, node: string) =>
      change(moveService(store.state.topology, name, node, placed()), `${name} is on ${node} now`),
    remove: (name: string) => {
      store.set({ selected: undefined });
      change(deleteService(store.state.topology, name, placed()), `${name} is deleted; undo brings it back`);
    },
    add: (name: string, node: string) =>
      change(addService(store.state.topology, { name, node }), `${name} is added on ${node}`),
    delay: (from: string, to: string, ms: number) =>
      change(setDelay(store.state.topology, from, to, `${ms}ms`), `the link between ${from} and ${to} takes ${ms} ms`),
    change,
    placed,
    goToRule(id: string) {
      const line = ruleLine(store.state.rules, id);
      if (line !== undefined) goToRules({ line, column: 1 });
    },
  };

  const canvas = h('div', { class: 'canvas', tabindex: 0, role: 'group', 'aria-label': 'Topology, drawing' });
  const hopText = h('p', { class: 'hop-text', role: 'status' });
  let travel: Travel | undefined;
  let focused: string | undefined;
  const draw = (): void => {
    const drawing = drawn();
    if (!drawing) return;
    focused = (document.activeElement as SVGGElement | null)?.dataset?.service ?? focused;
    travel?.stop();
    const diagram = drawDiagram(drawing, {
      isSmall: canvas.clientWidth < 480,
      editing: {
        selected: store.state.selected,
        onSelect: (name) => store.set({ selected: name }),
        onMove: actions.move,
        onDelete: actions.remove,
      },
    });
    travel = new Travel(drawing, diagram, (text) => {
      hopText.textContent = text;
    });
    canvas.replaceChildren(diagram.element, ...countNote(drawing));
    if (focused === undefined) return;
    canvas.querySelector<SVGGElement>(`.service[data-service="${CSS.escape(focused)}"]`)?.focus();
    focused = undefined;
  };
  store.on(['drawings', 'architecture', 'selected'], draw);

  const rulesText = h('div', { class: 'editor' });
  const rulesPart = h('details', { class: 'text-part rules' }, h('summary', {}, 'Its rules as text'), rulesText);
  const goToRules = (place: Pick<PageProblem, 'line' | 'column'>): void => {
    rulesPart.open = true;
    rulesEditor?.goTo(place);
  };
  const problems = h('ul', { class: 'problems', 'aria-label': 'Problems' });
  const text = h('div', { class: 'editor' });
  store.on(['problems'], ({ problems: found }) => {
    editor?.showProblems(found);
    rulesEditor?.showProblems(found);
    problems.hidden = found.length === 0;
    problems.replaceChildren(
      ...found.slice(0, 20).map((problem) => {
        const { file, line, column, severity, message, hint } = problem;
        const place = file === 'setting' ? 'setting' : `${file}:${line}:${column}`;
        const go = h('button', { type: 'button', class: 'link' }, place);
        go.addEventListener('click', () => {
          if (file === 'rules') goToRules(problem);
          else if (file === 'topology') editor?.goTo(problem);
        });
        return h('li', { class: severity }, go, ` ${message}`, hint !== undefined && h('small', {}, ` – ${hint}`));
      }),
    );
  });

  const play = h('button', { type: 'button' }, 'Send one request');
  const step = h('button', { type: 'button' }, 'Next hop');
  play.addEventListener('click', () => travel?.play());
  step.addEventListener('click', () => travel?.step());
  const download = (format: string): HTMLElement =>
    h(
      'button',
      { type: 'button', 'data-download': format, 'aria-label': `Drawing as ${format.toUpperCase()}` },
      format.toUpperCase(),
    );
  const figure = h(
    'figure',
    { class: 'chart-figure topology', 'data-figure': 'workshop-topology' },
    h(
      'figcaption',
      {},
      h('h2', { id: 'topology-title' }, 'Topology'),
      architectureChoice(store),
      h('span', { class: 'tools' }, play, step, download('svg'), download('png')),
    ),
    canvas,
    hopText,
  );
  const element = h(
    'section',
    { class: 'left', 'aria-labelledby': 'topology-title' },
    figure,
    inspector(store, worker, actions),
    problems,
    h('details', { class: 'text-part', open: true }, h('summary', {}, `${store.start.file} as text`), text),
    store.state.rules !== undefined && rulesPart,
  );
  const names = (): KnownNames => ({
    nodes: drawn()?.nodes.map(({ name }) => name) ?? [],
    regions: [...new Set(drawn()?.nodes.map(({ region }) => region))],
    services: drawn()?.services.map(({ name }) => name) ?? [],
    conditions: conditionsIn(store.state.rules ?? ''),
  });
  return {
    element,
    editor: () => editor as TextEditor,
    change({ topology, rules }) {
      editor?.change(topology);
      if (rules !== undefined) rulesEditor?.change(rules);
    },
    start() {
      editor = new TextEditor(text, {
        ...{ file: 'topology', label: 'Topology as YAML text', text: store.state.topology, names },
        schema: store.start.schema,
        onChange: (topology) => store.set({ topology }),
      });
      const { rules } = store.state;
      if (rules !== undefined) {
        rulesEditor = new TextEditor(rulesText, {
          ...{ file: 'rules', label: 'Rules as YAML text', text: rules, names },
          schema: store.start.rulesSchema,
          onChange: (changed) => store.set({ rules: changed }),
        });
      }
      new ResizeObserver(draw).observe(canvas);
    },
  };
}

/** Names of the conditions of a rule file, by its indentation. */
function conditionsIn(rules: string): string[] {
  const [, block = ''] = /^conditions:\n((?: .*\n|\n)*)/m.exec(rules) ?? [];
  return [...block.matchAll(/^ {2}([\w.-]+):/gm)].map(([, name = '']) => name);
}

function countNote({ services, nodes }: Drawing): HTMLElement[] {
  if (services.length <= maxDrawn) return [];
  const text = `${services.length} services are too many to draw one by one: each of the ${nodes.length} nodes shows a number. Text and figures work as usual.`;
  return [h('p', { class: 'note too-many' }, text)];
}

/** Which enforcement points the drawing shows. */
function architectureChoice(store: Store): HTMLElement {
  const select = h('select', { 'aria-label': 'Architecture of the drawing' });
  store.on(['drawings', 'architecture'], ({ drawings, architecture }) => {
    const names = Object.keys(drawings);
    select.replaceChildren(...names.map((name) => h('option', { value: name }, spoken(name))));
    const [fallback = ''] = names;
    select.value = names.includes(architecture) ? architecture : fallback;
  });
  select.addEventListener('change', () => store.set({ architecture: select.value }));
  return select;
}

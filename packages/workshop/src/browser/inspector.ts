/** What can be done with the selected service, or, without one, with the topology: add a service, set link delays. */
import { formatUs } from '@topo-bench/core';
import type { Explanation } from '@topo-bench/rule-engine/explain';
import type { Drawing, DrawnService } from '../predict/drawing.ts';
import { type Placed, renameService } from './edit-topology.ts';
import { h } from './element.ts';
import { ruleLine } from './rule-line.ts';
import type { Store } from './store.ts';
import type { WorkerClient } from './worker-client.ts';

export interface TopologyActions {
  move(name: string, node: string): void;
  remove(name: string): void;
  add(name: string, node: string): void;
  delay(from: string, to: string, ms: number): void;
  change(text: string, said: string): void;
  placed(): Placed[];
  /** Shows a rule in the text of the rules. */
  goToRule(id: string): void;
}

interface Refreshed {
  element: HTMLElement;
  /** Called when the texts were read and have no errors. */
  refresh(): void;
}

export function inspector(store: Store, worker: WorkerClient, actions: TopologyActions): HTMLElement {
  const place = h('div', { class: 'inspector' });
  let shown = '';
  let refresh: (() => void) | undefined;
  store.on(['selected', 'drawings', 'architecture'], ({ selected, drawings, architecture }) => {
    const drawing = drawings[architecture] ?? Object.values(drawings)[0];
    if (!drawing) return;
    const service = drawing.services.find(({ name }) => name === selected);
    // A field that is in use stays while figures arrive.
    const key = JSON.stringify([service, drawing.nodes, drawing.links]);
    if (key === shown) return;
    const hadFocus = place.contains(document.activeElement);
    shown = key;
    const own = service && ofService(service, drawing, store, worker, actions);
    refresh = own?.refresh;
    place.replaceChildren(own?.element ?? ofTopology(drawing, actions));
    if (hadFocus) place.querySelector<HTMLElement>('input, select, button')?.focus();
  });
  // An explanation that is shown follows the rules while they are written.
  store.on(['problems'], ({ problems }) => {
    if (!problems.some(({ severity }) => severity === 'error')) refresh?.();
  });
  return place;
}

function ofService(
  service: DrawnService,
  drawing: Drawing,
  store: Store,
  worker: WorkerClient,
  actions: TopologyActions,
): Refreshed {
  const { name, node } = service;
  const field = h('input', { id: 'service-name', value: name, pattern: '[A-Za-z0-9][A-Za-z0-9._-]*', required: true });
  const nodes = nodeSelect('service-node', drawing, node);
  nodes.addEventListener('change', () => actions.move(name, nodes.value));
  const remove = h('button', { type: 'button', class: 'danger' }, 'Delete');
  remove.addEventListener('click', () => actions.remove(name));
  const close = h('button', { type: 'button' }, 'Done');
  close.addEventListener('click', () => store.set({ selected: undefined }));
  const form = h(
    'form',
    { class: 'fields', 'aria-label': `Service ${name}` },
    labelled('Service', field),
    h('button', { type: 'submit' }, 'Rename'),
    labelled('on node', nodes),
    remove,
    close,
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const to = field.value.trim();
    if (to === '' || to === name) return;
    const text = renameService(store.state.topology, name, to, actions.placed());
    store.set({ selected: to });
    actions.change(text, `${name} is named ${to} now`);
  });
  const { element, refresh } = explanation(service, drawing, store, worker, actions);
  return { element: h('div', {}, form, element), refresh };
}

/** One decision of the target: the rule that decides, and why the others do not match. */
function explanation(
  { name }: DrawnService,
  { requests }: Drawing,
  store: Store,
  worker: WorkerClient,
  { goToRule }: TopologyActions,
): Refreshed {
  const select = h('select', { id: 'explain-class' }, ...requests.map((request) => h('option', {}, request.class)));
  const result = h('div', { class: 'explained', role: 'status' });
  /** Undefined before the first explanation. */
  let explainedRules: string | undefined;
  const show = async (): Promise<void> => {
    const request = requests.find((one) => one.class === select.value);
    if (!request) return;
    const { topology, rules, settings } = store.state;
    explainedRules = rules;
    const { class: own, origin, purpose, consents, fields } = request;
    const facts = {
      ...{ class: own, origin, purpose, consents },
      categories: [...new Set(Object.values(fields))],
      payload: Object.fromEntries(Object.keys(fields).map((field) => [field, '…'])),
      fieldCategories: fields,
    };
    try {
      const step = { texts: { topology, rules }, settings, service: name, request: facts };
      const goTo = (id: string) => (ruleLine(rules, id) === undefined ? undefined : () => goToRule(id));
      result.replaceChildren(...explained(name, await worker.explain(step), goTo));
    } catch (error) {
      result.textContent = error instanceof Error ? error.message : String(error);
    }
  };
  const button = h('button', { type: 'button' }, 'Explain its decision');
  button.addEventListener('click', () => void show());
  const element = h(
    'div',
    { class: 'explain' },
    h('div', { class: 'fields' }, labelled('Request of class', select), button),
    result,
  );
  const refresh = (): void => {
    if (explainedRules !== undefined && explainedRules !== store.state.rules) void show();
  };
  return { element, refresh };
}

/** @param goTo what shows a rule in its text; undefined for a rule that has none */
function explained(
  name: string,
  { decision, rules }: Explanation,
  goTo: (id: string) => (() => void) | undefined,
): HTMLElement[] {
  const { effect, rule, to, remove, pseudonymise } = decision;
  const by = rule === undefined ? 'the default effect: no rule matches' : `the rule ${rule}`;
  const changes = [
    ...remove.map((field) => `removes ${field}`),
    ...pseudonymise.map((field) => `pseudonymises ${field}`),
  ];
  const more = changes.length === 0 ? '' : `; it ${changes.join(', ')}`;
  const shown = rules.slice(0, 30).map(({ rule: id, effect: own, matched, failed }) => {
    const [first] = failed;
    const why = first
      ? `${first.comparison} ${first.negated ? 'holds and must not' : 'fails'}: it is ${JSON.stringify(first.actual) ?? 'nothing'}`
      : '';
    // Rules for each service have the id `id@service`.
    const show = goTo(id.split('@')[0] as string);
    const go = h('button', { type: 'button', class: 'link', 'aria-label': `${id}, show its text` }, id);
    if (show) go.addEventListener('click', show);
    return h(
      'li',
      {},
      `${matched ? '✓' : '✗'} `,
      show ? go : id,
      ` (${own}) `,
      matched ? 'matches' : `does not match: ${why}`,
    );
  });
  return [
    h('p', {}, h('b', {}, `${name}: ${effect}`), `${to === undefined ? '' : ` to ${to}`} by ${by}${more}`),
    h('ul', {}, ...shown),
    ...(rules.length > shown.length
      ? [h('p', { class: 'note' }, `and ${rules.length - shown.length} more rules`)]
      : []),
  ];
}

function ofTopology(drawing: Drawing, actions: TopologyActions): HTMLElement {
  const name = h('input', {
    id: 'new-name',
    placeholder: 'name',
    pattern: '[A-Za-z0-9][A-Za-z0-9._-]*',
    required: true,
  });
  const node = nodeSelect('new-node', drawing, 0);
  const form = h(
    'form',
    { class: 'fields', 'aria-label': 'Add a service' },
    labelled('New service', name),
    labelled('on node', node),
    h('button', { type: 'submit' }, 'Add'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    actions.add(name.value.trim(), node.value);
    name.value = '';
  });
  const links = linksOf(drawing).map(({ from, to, text, ms }, at) => {
    const field = h('input', { id: `link-${at}`, type: 'number', min: 0, step: 'any', value: ms });
    field.addEventListener('change', () => Number(field.value) >= 0 && actions.delay(from, to, Number(field.value)));
    return labelled(`${from} ⇄ ${to}`, field, `ms, ${text} in the file`);
  });
  const hint = 'Select a service to change it. Drag it to another node, or press Shift with the left or right arrow.';
  return h(
    'div',
    {},
    form,
    links.length > 0 && h('div', { class: 'fields links' }, ...links),
    h('p', { class: 'note' }, hint),
  );
}

function nodeSelect(id: string, { nodes }: Drawing, selected: number): HTMLSelectElement {
  return h(
    'select',
    { id },
    ...nodes.map(({ name, region }, at) =>
      h('option', { value: name, selected: at === selected }, `${name} (${region})`),
    ),
  );
}

function labelled(text: string, field: HTMLElement, after = ''): HTMLElement {
  return h(
    'span',
    { class: 'labelled' },
    h('label', { for: field.id }, text),
    field,
    after !== '' && h('small', {}, after),
  );
}

/** `eu ⇄ us`: regions or nodes with a delay between them. */
function linksOf({ nodes, links }: Drawing): { from: string; to: string; text: string; ms: number }[] {
  const regions = [...new Set(nodes.map(({ region }) => region))];
  const found = regions.flatMap((from, at) =>
    regions.slice(at).flatMap((to) => {
      const between = links.find(
        (link) =>
          (nodes[link.from]?.region === from && nodes[link.to]?.region === to) ||
          (nodes[link.from]?.region === to && nodes[link.to]?.region === from),
      );
      if (from === to && !between) return [];
      const us = between?.delayUs ?? 0;
      return [{ from, to, text: us === 0 ? 'no delay' : formatUs(us), ms: us / 1e3 }];
    }),
  );
  return found;
}

/** Named variants A, B and C next to each other, and notes for the record. */

import type { Texts } from '../predict/read-topology.ts';
import { announce, h } from './element.ts';
import { spoken, us } from './headline.ts';
import type { Variant } from './session.ts';
import type { PageState, Store } from './store.ts';

const names = ['A', 'B', 'C'];

export function variantsPanel(store: Store, onRestore: (texts: Texts) => void): HTMLElement {
  const buttons = names.map((name) => {
    const button = h('button', { type: 'button' }, `Keep as ${name}`);
    button.addEventListener('click', () => {
      const others = store.state.variants.filter((variant) => variant.name !== name);
      const variants = [...others, variantOf(name, store.state)].sort((a, b) => a.name.localeCompare(b.name));
      store.set({ variants });
      announce(`kept as ${name}`);
    });
    // Figures of fewer replications would be compared with others.
    store.on(['done'], ({ done, rounds }) => {
      button.disabled = done === 0 || done < rounds;
    });
    return button;
  });
  const table = h('table', { class: 'figures' });
  const scroll = h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Variants, table', hidden: true },
    table,
  );
  store.on(['variants'], ({ variants }) => {
    scroll.hidden = variants.length === 0;
    const architectures = [...new Set(variants.flatMap(({ cells }) => cells.map(({ architecture }) => architecture)))];
    const head = ['variant', 'settings', ...architectures.map(spoken), 'back'];
    table.replaceChildren(
      h('caption', {}, 'median and p95, simulated'),
      h('thead', {}, h('tr', {}, ...head.map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, ...variants.map((variant) => rowOf(variant, architectures, store, onRestore))),
    );
  });
  const notes = h('textarea', {
    id: 'notes',
    rows: 3,
    placeholder: 'Decisions, doubts, and the people who raised them',
  });
  notes.value = store.state.notes;
  notes.addEventListener('input', () => store.set({ notes: notes.value }));
  return h(
    'section',
    { 'aria-labelledby': 'variants-title', class: 'variants' },
    h('h2', { id: 'variants-title' }, 'Variants and notes'),
    h('div', { class: 'fields' }, ...buttons),
    scroll,
    h('label', { for: 'notes' }, 'Notes'),
    notes,
  );
}

function variantOf(name: string, { topology, rules, settings, cells }: PageState): Variant {
  return {
    ...{ name, topology, ...(rules !== undefined && { rules }), settings },
    cells: cells.map(({ architecture, state, median, p95, bottleneck }) => ({
      ...{ architecture, state, bottleneck: bottleneck.name },
      ...(median && { medianUs: median.value }),
      ...(p95 && { p95Us: p95.value }),
    })),
  };
}

function rowOf(
  { name, topology, rules, settings, cells }: Variant,
  architectures: readonly string[],
  store: Store,
  onRestore: (texts: Texts) => void,
): HTMLElement {
  const restore = h('button', { type: 'button', 'aria-label': `Restore variant ${name}` }, 'Restore');
  restore.addEventListener('click', () => {
    store.set({ settings });
    onRestore({ topology, rules });
    announce(`variant ${name} is restored`);
  });
  const { texts } = store.start;
  const changed = topology === texts.topology ? '' : ', changed topology';
  const changedRules = rules === undefined || rules === texts.rules ? '' : ', changed rules';
  return h(
    'tr',
    {},
    h('th', { scope: 'row' }, name),
    h('td', {}, `${settingsText(settings)}${changed}${changedRules}`),
    ...architectures.map((architecture) => {
      const cell = cells.find((one) => one.architecture === architecture);
      if (!cell) return h('td', {}, '–');
      if (cell.medianUs === undefined) return h('td', {}, h('span', { class: 'bad' }, `${cell.bottleneck} is full`));
      return h('td', {}, h('b', {}, us(cell.medianUs)), h('small', {}, us(cell.p95Us ?? Number.NaN)));
    }),
    h('td', {}, restore),
  );
}

function settingsText({ rate, cores, machines, ...others }: Variant['settings']): string {
  const more = Object.entries(others).map(([name, value]) => `${name} ${value}`);
  return [`${rate} req/s`, `${cores} cores ${machines === 'one' ? 'for all nodes' : 'per node'}`, ...more].join(', ');
}

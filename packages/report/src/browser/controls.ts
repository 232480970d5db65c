/** Reads the selected cells and the selected time metric from the controls, and keeps them in the address. */
import type { ChartData } from '../html/chart-data.ts';
import { fragmentOf, stateOf } from './permalink.ts';

export type Metric = 'rtt' | 'responseTime';

export interface Choice {
  /** Indexes of the selected cells. */
  cells: ReadonlySet<number>;
  metric: Metric;
}

/** @returns the initial choice */
export function connectControls(data: ChartData, changed: (choice: Choice) => void): Choice {
  const details = document.querySelector<HTMLDetailsElement>('.controls');
  const form = details?.querySelector('form');
  if (!details || !form) return { cells: new Set(data.cells.keys()), metric: data.times[0] ?? 'rtt' };
  details.hidden = false;
  const update = (): Choice => {
    const choice = choiceIn(data, form);
    const said = document.getElementById('shown');
    if (said) said.textContent = describe(data, choice);
    return choice;
  };
  const follow = (): void => {
    changed(update());
    const { pathname, search } = location;
    history.replaceState(null, '', fragmentOf(data, stateIn(data, form)) || `${pathname}${search}`);
  };
  restore(data, form);
  window.addEventListener('hashchange', () => {
    if (restore(data, form)) changed(update());
  });
  form.addEventListener('change', follow);
  form.addEventListener('submit', (event) => event.preventDefault());
  // The form resets its fields after this event.
  form.addEventListener('reset', () => setTimeout(follow));
  return update();
}

/** @returns whether the address has a state of the filters */
function restore(data: ChartData, form: HTMLFormElement): boolean {
  const state = stateOf(data, location.hash);
  if (!state) return false;
  for (const box of form.querySelectorAll<HTMLInputElement>('input[data-factor]')) {
    box.checked = state.levels[Number(box.dataset.factor)]?.has(Number(box.value)) ?? true;
  }
  for (const radio of form.querySelectorAll<HTMLInputElement>('input[name=metric]')) {
    radio.checked = radio.value === state.metric;
  }
  return true;
}

function stateIn(data: ChartData, form: HTMLFormElement): { levels: Set<number>[]; metric: string } {
  const levels = data.factors.map(() => new Set<number>());
  for (const box of form.querySelectorAll<HTMLInputElement>('input[data-factor]:checked')) {
    levels[Number(box.dataset.factor)]?.add(Number(box.value));
  }
  const metric = form.querySelector<HTMLInputElement>('input[name=metric]:checked')?.value;
  return { levels, metric: metric ?? data.times[0] ?? 'rtt' };
}

function choiceIn(data: ChartData, form: HTMLFormElement): Choice {
  const { levels: chosen, metric: chosenMetric } = stateIn(data, form);
  const cells = data.cells.flatMap(({ levels }, at) =>
    levels.every((level, factor) => level < 0 || chosen[factor]?.has(level)) ? [at] : [],
  );
  const metric = data.times.find((one) => one === chosenMetric) ?? data.times[0] ?? 'rtt';
  return { cells: new Set(cells), metric };
}

function describe(data: ChartData, { cells, metric }: Choice): string {
  const all = data.cells.length;
  const count = cells.size === all ? `all ${all} ${all === 1 ? 'cell' : 'cells'}` : `${cells.size} of ${all} cells`;
  if (data.times.length < 2) return count;
  return `${count}, ${metric === 'rtt' ? 'round-trip time' : 'response time'}`;
}

/** Reads the selected cells and the selected time metric from the controls. */
import type { ChartData } from '../html/chart-data.ts';

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
  if (!details || !form) return { cells: new Set(data.cells.keys()), metric: 'rtt' };
  details.hidden = false;
  const update = (): Choice => {
    const choice = choiceIn(data, form);
    const said = document.getElementById('shown');
    if (said) said.textContent = describe(data, choice);
    return choice;
  };
  form.addEventListener('change', () => changed(update()));
  form.addEventListener('submit', (event) => event.preventDefault());
  // The form resets its fields after this event.
  form.addEventListener('reset', () => setTimeout(() => changed(update())));
  return update();
}

function choiceIn(data: ChartData, form: HTMLFormElement): Choice {
  const chosen = data.factors.map(() => new Set<number>());
  for (const box of form.querySelectorAll<HTMLInputElement>('input[data-factor]:checked')) {
    chosen[Number(box.dataset.factor)]?.add(Number(box.value));
  }
  const cells = data.cells.flatMap(({ levels }, at) =>
    levels.every((level, factor) => chosen[factor]?.has(level)) ? [at] : [],
  );
  const metric =
    form.querySelector<HTMLInputElement>('input[name=metric]:checked')?.value === 'responseTime'
      ? 'responseTime'
      : 'rtt';
  return { cells: new Set(cells), metric };
}

function describe(data: ChartData, { cells, metric }: Choice): string {
  const all = data.cells.length;
  const count = cells.size === all ? `all ${all} ${all === 1 ? 'cell' : 'cells'}` : `${cells.size} of ${all} cells`;
  return `${count}, ${metric === 'rtt' ? 'round-trip time' : 'response time'}`;
}

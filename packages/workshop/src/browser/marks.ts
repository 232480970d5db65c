/** The mark of a figure: where it comes from, and how sure it is. */
import { heldOutText } from '@topo-bench/report/browser';
import { h } from './element.ts';
import type { PageState, Store } from './store.ts';

/** A banner above the figures. */
export function calibrationNote(store: Store): HTMLElement {
  const { name, machine, cores, assumed, fit } = store.start.calibration;
  const text = assumed
    ? `Nothing is calibrated here: all times follow from assumptions (${name}: ${machine} with ${cores} cores), so their error is unknown. They compare architectures and predict no machine. “Prove it” measures one cell on this machine.`
    : `Times follow from the calibration ${name}: ${machine} with ${cores} cores. ${fit ? heldOutText(fit.heldOutErrors) : ''}`;
  return h('p', { class: 'note mark-note' }, h('span', { class: 'mark simulated' }, 'simulated'), ` ${text}`);
}

/** `3 minutes ago` */
export function ageOf(at: number, now: number): string {
  const minutes = Math.round((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 90) return `${minutes} min ago`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h ago` : `${Math.round(hours / 24)} days ago`;
}

/** How far the replications are: intervals need six. */
export function progressText({ done, rounds }: Pick<PageState, 'done' | 'rounds'>): string {
  if (done === 0) return 'simulating …';
  if (done < rounds) return `${done} of ${rounds} replications`;
  return `${rounds} replications, 95% intervals between them`;
}

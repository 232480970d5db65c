/** What the simulated figures follow from, what of it does not fit, and the offer to calibrate this machine. */
import { counted } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { heldOutText } from '@topo-bench/report/browser';
import { isForCalibrated, useCalibration } from './calibration-text.ts';
import { h } from './element.ts';
import { spoken } from './headline.ts';
import { jobControl } from './job-control.ts';
import type { PageState, Store } from './store.ts';

export function calibrationPart(store: Store): HTMLElement {
  const text = h('span', {});
  const remarks = h('p', { class: 'warning misfit' });
  store.on(['calibration', 'settings', 'drawings', 'details'], (state) => {
    text.textContent = ` ${textOf(state.calibration)}${reachText(state)}`;
    remarks.textContent = store.start.remarks.join(' ');
    remarks.hidden = store.start.remarks.length === 0;
  });
  const { fields, status } = jobControl(store, {
    ...{ label: 'Calibrate this machine', path: 'calibrate' },
    body: () => ({}),
    take(event) {
      if (event.kind !== 'calibrated') return '';
      useCalibration(store, event);
      return `Calibrated: the figures of this page follow from it. Kept as ${event.file}.`;
    },
  });
  const lead = 'Measures 13 cells in about 3 minutes. Close other programs first: a disturbed measurement is refused.';
  return h(
    'div',
    { class: 'calibration' },
    h('p', { class: 'note mark-note' }, h('span', { class: 'mark simulated' }, 'simulated'), text),
    remarks,
    h('div', { class: 'fields' }, ...fields, h('small', {}, lead)),
    status,
  );
}

/** Where the error of a fit holds, and where its intervals are wider. */
function reachText(state: Pick<PageState, 'calibration' | 'settings' | 'drawings' | 'details'>): string {
  const { calibration, details = [] } = state;
  if (!calibration.fit) return '';
  if (!isForCalibrated(state)) {
    return ` That error holds for one machine with ${counted(calibration.cores, 'core')}. For these machines it is unknown: intervals are between replications.`;
  }
  const far = details.flatMap(({ architecture, uncertainty }) => (uncertainty?.distance ? [spoken(architecture)] : []));
  return far.length === 0 ? '' : ` Outside of the calibrated range, with wider intervals: ${far.join(', ')}.`;
}

function textOf({ name, machine, cores, assumed, fit }: Calibration): string {
  const of = `${name}: ${machine} with ${cores} cores`;
  if (assumed)
    return `Nothing is calibrated here: all times follow from assumptions (${of}), so their error is unknown. They compare architectures and predict no machine.`;
  const disturbed = fit?.quietness.disturbed ? ' Other programs disturbed it: its errors are larger.' : '';
  return `Times follow from the calibration ${of}. ${fit ? heldOutText(fit.heldOutErrors) : ''}${disturbed}`;
}

/**
 * Reasons for invalidity as data. They become text here, where a verdict is made of them; code that needs a kind of
 * reason reads `why` and not its sentence.
 */
import { counted, formatUs } from '@topo-bench/core';
import type { Validity, ValidityReason } from '@topo-bench/core/schema/result';

/** From this share of stolen processor time on, in %, a late repetition names the hypervisor as a possible cause. */
const namedStolenPercent = 0.1;

/** The verdict with these reasons in place of its own. */
export function withReasons(
  verdict: Omit<Validity, 'valid' | 'reasons' | 'why'> & Partial<Validity>,
  why: readonly ValidityReason[],
): Validity {
  const { valid: _valid, reasons: _reasons, why: _why, ...others } = verdict;
  const reasons = why.map(reasonText);
  return { valid: why.length === 0, reasons, ...(why.length > 0 && { why: [...why] }), ...others };
}

/** The reasons of a verdict as data, also of results from before they had any. */
export function reasonsOf({ why, reasons }: Pick<Validity, 'why' | 'reasons'>): ValidityReason[] {
  return why ?? reasons.map((text) => ({ kind: 'study', text }));
}

/** Whether requests left late by the limit of the scheduler lag. */
export function isLateReason(reason: ValidityReason): boolean {
  return reason.kind === 'late' || (reason.kind === 'study' && reason.text.startsWith(lateStart));
}

type LateReason = Extract<ValidityReason, { kind: 'late' }>;

/** Beginning of the sentence, in results that have no data. */
const lateStart = 'scheduler lag p99 ';

export function reasonText(reason: ValidityReason): string {
  switch (reason.kind) {
    case 'late':
      return lateText(reason);
    case 'late-generator':
      return `load generator ${reason.generator} began ${formatUs(reason.lateUs)} after the common start instant, at most ${formatUs(reason.limitUs)} allowed`;
    case 'late-second':
      return `second ${reason.second}: sent ${reason.sent}, scheduled ${reason.scheduled}`;
    case 'unsent':
      return `sent ${reason.sent} of ${reason.scheduled} scheduled requests`;
    case 'empty':
      return 'no request was due in this load: raise the rate or the duration';
    case 'generator-bound':
      return `load generator CPU-bound: its event loop was busy ${percent(reason.busyShare)} of the time`;
    case 'in-flight-cap':
      return `in-flight cap of ${reason.cap} open requests reached: ${reason.refused} requests were not sent`;
    case 'wrong-decisions':
      return `${reason.count} wrong decision${reason.count === 1 ? '' : 's'}`;
    case 'errors':
      return errorsText(reason);
    case 'died':
      return `died during the repetition: ${reason.roles.join(', ')}`;
    case 'wrong':
      return `wrong: ${reason.examples.join('; ')}`;
    case 'not-measured':
      return `not measured: ${reason.message} (${reason.code})`;
    case 'study':
      return reason.text;
  }
}

type ErrorsReason = Extract<ValidityReason, { kind: 'errors' }>;

/** So many kinds of errors are named, the most frequent first. */
const maxKinds = 3;

function errorsText({ errors, requests, maxShare, kinds = {} }: ErrorsReason): string {
  const found = `${counted(errors, 'error')} in ${counted(requests, 'request')} (${percent(errors / requests)})`;
  const text = `${found}, at most ${percent(maxShare)} allowed`;
  const inOrder = Object.entries(kinds).sort(([, one], [, other]) => other - one);
  const named = inOrder.slice(0, maxKinds).map(([kind, count]) => `${count} ${kind}`);
  const others = inOrder.slice(maxKinds).reduce((sum, [, count]) => sum + count, 0);
  const list = [...named, ...(others > 0 ? [counted(others, 'other')] : [])].join(', ');
  return list === '' ? text : `${text}: ${list}`;
}

function lateText({ p99Us, medianUs, stolenPercent = 0, ...turns }: LateReason): string {
  const late = `${lateStart}${formatUs(p99Us)} is above 1 ms and above 10% of the smallest compared median ${formatUs(medianUs)}`;
  const parts = [late, ...turnsTexts(turns)];
  if (stolenPercent >= namedStolenPercent) {
    const stolen = `${Number(stolenPercent.toPrecision(3))}%`;
    parts.push(`meanwhile the hypervisor gave ${stolen} of this machine's time to others`);
  }
  return parts.join('; ');
}

function turnsTexts({ meanUs, differsByUs }: Pick<LateReason, 'meanUs' | 'differsByUs'>): string[] {
  return [
    ...(meanUs === undefined
      ? []
      : [`the mean lag ${formatUs(meanUs)} is above a quarter of the time between two requests`]),
    ...(differsByUs === undefined ? [] : [`the mean lags of cells in turns differ by ${formatUs(differsByUs)}`]),
  ];
}

function percent(share: number): string {
  return `${Number((share * 100).toPrecision(3))}%`;
}

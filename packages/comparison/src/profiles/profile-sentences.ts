/** The functions behind a difference, as lines without a full stop. */
import { counted, describeCell } from '@topo-bench/core';
import type { GateProfile } from '../gate-result.ts';
import type { FunctionDifference, ProfileDifference, TimeDifference } from './compare-profiles.ts';

/** Line above the functions. */
export function profileHeading({ pairs, factors }: GateProfile): string {
  const where = describeCell(factors);
  return `Functions that differ in ${counted(pairs, 'profiled pair')}${where === '' ? '' : `, ${where}`}:`;
}

/** "hash (server.cjs:12): +0.93 ms per request [0.80, 1.06] of +1.0 ms". The last lines name what is not profiled. */
export function profileLines({ pairs, total, functions, more, missing }: ProfileDifference): string[] {
  const all = msOf(total.us);
  const unprofiled = missing.map(({ role, why }) => `${role} is not profiled: ${why}`);
  if (functions.length === 0) {
    const text = `no function is shown to differ in ${counted(pairs, 'profiled pair')}: all together ${changeOf(total)}`;
    return [text, ...unprofiled];
  }
  return [
    ...functions.map((one) => `${labelOf(one)}: ${changeOf(one)} of ${all} ms`),
    ...(more > 0 ? [`and ${counted(more, 'more function')} with a smaller difference`] : []),
    ...unprofiled,
  ];
}

function labelOf({ kind, name, file, line, roles }: FunctionDifference): string {
  const where = roles.length === 1 ? ` in ${roles[0]}` : ` in ${counted(roles.length, 'role')}`;
  if (kind === 'garbage') return `garbage collection${where}`;
  if (kind === 'outside') return `Node.js outside of functions${where}`;
  const called = `${name || '(anonymous)'} (${file}:${line})`;
  return kind === 'own' ? `${called}${where}` : `Node.js and native code called by ${called}${where}`;
}

function changeOf({ us, intervalUs: [low, high] }: TimeDifference): string {
  return `${msOf(us)} ms per request [${msOf(low, false)}, ${msOf(high, false)}]`;
}

/** Two significant digits, at least those of 0.01 ms. */
function msOf(us: number, signed = true): string {
  const ms = us / 1e3;
  if (!Number.isFinite(ms)) return ms > 0 ? '∞' : '−∞';
  const text = Math.abs(ms) >= 10 ? String(Math.round(Math.abs(ms))) : Math.abs(ms).toFixed(2);
  return `${ms < 0 ? '−' : signed ? '+' : ''}${text}`;
}

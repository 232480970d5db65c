/** One sentence on the network policies of a run: whether the network stopped requests past the enforcement points. */
import { counted, formatUs } from '@topo-bench/core';
import type { ReportModel } from './model/report-model.ts';

/** Undefined where no deployment has such figures. Blocked: from ready pods; let through: as long as it was probed. */
export function networkPolicyText({ groups }: Pick<ReportModel, 'groups'>): string | undefined {
  const figures = groups
    .flatMap(({ valid, invalid }) => [...valid, ...invalid])
    .flatMap(({ deployment }) => deployment?.networkPolicies ?? []);
  if (figures.length === 0) return undefined;
  const blocked = figures.flatMap(({ openMs }) => openMs ?? []);
  const letThrough = figures.flatMap(({ openMs, probedMs }) => (openMs === undefined ? probedMs : []));
  const where = (some: readonly number[]): string =>
    some.length === figures.length ? '' : ` in ${some.length} of ${counted(figures.length, 'repetition')}`;
  const parts = [
    blocked.length > 0 && `blocked them within ${range(blocked)} of ready pods${where(blocked)}`,
    letThrough.length > 0 &&
      `let some through for the ${range(letThrough)} of the probe${where(letThrough)}, and every service refused them`,
  ].filter((part) => part !== false);
  return `Requests past the enforcement points: the network ${parts.join('; it ')}.`;
}

function range(all: readonly number[]): string {
  const [low, high] = [Math.min(...all), Math.max(...all)].map((ms) => formatUs(ms * 1e3));
  return low === high ? `${low}` : `${low} to ${high}`;
}

/** One sentence on user-supplied services that take calls past their enforcement points. */
import { openServiceTexts } from '@topo-bench/results';
import type { ReportModel } from './model/report-model.ts';

/** Undefined where every service refused such calls. */
export function openServiceText({ groups }: Pick<ReportModel, 'groups'>): string | undefined {
  const texts = openServiceTexts(groups.flatMap(({ valid, invalid }) => [...valid, ...invalid]));
  if (texts.length === 0) return undefined;
  return `Enforcement can be bypassed: ${texts.join('; ')}. A service must compare x-topo-token with TOPO_BENCH_TOKEN.`;
}

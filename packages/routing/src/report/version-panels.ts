/** The version of the rules by which each enforcement point decides, over the load. */
import { cellKey } from '@topo-bench/core';
import { lineColour, type SeriesPanel } from '@topo-bench/report/html';
import { describeLevels, type ReportModel } from '@topo-bench/report/model';

/** Points of a line. */
const steps = 300;

/** A panel for each cell, of its first valid repetition with points; empty where no rules changed. */
export function versionPanels({ factors, groups }: ReportModel): SeriesPanel[] {
  const varying = factors.filter(({ levels }) => levels.length > 1);
  return groups.flatMap(({ factors: levels, valid }, cell): SeriesPanel[] => {
    const first = valid.find(({ staleness, classesOverTime }) => staleness?.points && classesOverTime);
    const { staleness, classesOverTime: over } = first ?? {};
    if (!staleness?.points || !over) return [];
    const stepMs = (over.served.length * over.stepMs) / steps;
    const lines = staleness.points.map(({ name, sinceUs }, at) => ({
      ...{ name, colour: lineColour(at) },
      values: Array.from({ length: steps }, (_, step) => versionAt(sinceUs, (step + 1) * stepMs * 1e3)),
    }));
    const title = describeLevels(varying, levels) || cellKey(levels);
    return [{ cell, title, heading: 'version of the rules', stepMs, max: staleness.versions.length, lines }];
  });
}

/** The newest version by which a point had decided a request that was sent before. */
function versionAt(sinceUs: readonly (number | null)[], us: number): number {
  return Math.max(
    0,
    sinceUs.findLastIndex((since) => since !== null && since < us),
  );
}

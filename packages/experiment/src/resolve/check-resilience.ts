/** Refuses retries, takeover and breakers of a study whose calls have none: only flows of requests do. */
import { factorPath, type Problem, type SourceLocation } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';

const path = 'enforcement.resilience';

/** One problem per field, at the first cell that has it. */
export function checkResilience(
  cells: readonly ExperimentCell[],
  locate: (path: readonly (string | number)[]) => SourceLocation,
): Problem[] {
  const found = new Map<string, Problem>();
  for (const { study, graph, given, settings } of cells) {
    const { retries = 0, takeover = false, breaker } = graph.enforcement.resilience ?? {};
    if (study.takesEvents) continue;
    const used = { retries: retries > 0, takeover, breaker: (breaker?.failures ?? 0) > 0 };
    for (const [field, isUsed] of Object.entries(used)) {
      if (!isUsed || found.has(field)) continue;
      const isOfField = (name: string): boolean => {
        const [own, whole] = [`${factorPath(name)}.`, `${path}.${field}.`];
        return own.startsWith(whole) || whole.startsWith(own);
      };
      const factor = Object.keys(given).find(isOfField);
      const set = Object.keys(settings.set).find(isOfField);
      const place = factor === undefined ? (set === undefined ? ['topology'] : ['set', set]) : ['factors', factor];
      found.set(field, {
        ...locate(place),
        code: 'TB_EXPERIMENT_UNUSED_FIELD',
        message: `${path}.${field} has no effect in a study of the kind ${study.kind}: its calls go to the one point of their service`,
        hint: `leave out \`${field}\`; requests through a gateway have it`,
      });
    }
  }
  return [...found.values()];
}

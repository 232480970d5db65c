/** Refuses retries, takeover and breakers of a study whose calls have none: only flows of requests do. */
import { factorPath, type Problem } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';
import { levelFields } from '../named-levels.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

const path = 'enforcement.resilience';

/** Turns each of them off, where a topology is shared with other experiments. */
const without = { retries: 'retries: 0', takeover: 'takeover: false', breaker: 'breaker.failures: 0' };

/** One problem per field, at the first cell that has it. */
export function checkResilience(cells: readonly ExperimentCell[], { document, source }: ParsedExperiment): Problem[] {
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
      const level = levelFields(document.factors).find(
        (one) => given[one.factor] === one.level && isOfField(one.field),
      );
      const set = Object.keys(settings.set).find(isOfField);
      found.set(field, {
        ...source.locate(level?.path ?? (set === undefined ? ['topology'] : ['set', set])),
        code: 'TB_EXPERIMENT_UNUSED_FIELD',
        message: `${path}.${field} has no effect in a study of the kind ${study.kind}: its calls go to the one point of their service`,
        hint: `leave out \`${field}\`, or write \`set: { ${path}.${without[field as keyof typeof used]} }\`; requests through a gateway have it`,
      });
    }
  }
  return [...found.values()];
}

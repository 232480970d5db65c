/** Adds the rules that a topology generates to those of its rule file, as if they were written there. */
import type { RulesFile } from '@topo-bench/core/schema/rules';
import { generatedRules } from '@topo-bench/workload';
import type { ListedService } from './list-services.ts';

/** The document that results, which the oracle reads as well; the given one where nothing is generated. */
export function withGeneratedRules(
  file: RulesFile | undefined,
  services: readonly Pick<ListedService, 'name' | 'rules'>[],
): RulesFile | undefined {
  const base = file ?? emptyFile;
  // With the default deny, a rule that matches and allows would change decisions.
  const shareOf = (match: number): number => (base.default === 'allow' ? match : 0);
  const generated = services.flatMap(({ name, rules }) =>
    rules ? generatedRules(name, { ...rules, match: shareOf(rules.match) }) : [],
  );
  return generated.length === 0 ? file : { ...base, rules: [...base.rules, ...generated] };
}

const emptyFile: RulesFile = {
  apiVersion: 'topo-bench/v1',
  kind: 'Rules',
  name: 'generated',
  default: 'allow',
  conditions: {},
  rules: [],
  examples: [],
};

/** What the host allowed one run and not the other: a difference of figures may be one of privileges. */
import type { Cell } from '@topo-bench/core/schema/result';

/** Undefined where a cell does not say. */
const grants: readonly { what: string; granted: (cell: Cell) => boolean | undefined }[] = [
  { what: 'real-time priority of the load generator', granted: ({ generator }) => generator?.realTimePriority },
  // Results from before there was this grant ran without.
  { what: 'cores kept awake', granted: ({ generator }) => generator && generator.coresKeptAwake === true },
  { what: 'priority of the gateway', granted: ({ gateway }) => gateway?.priority },
];

export function grantNotes(baseline: readonly Cell[], candidate: readonly Cell[]): string[] {
  return grants.flatMap(({ what, granted }) => {
    const [before, now] = [howOften(baseline.map(granted)), howOften(candidate.map(granted))];
    if (before === undefined || now === undefined || before === now) return [];
    return [`${what}: ${before} in the baseline, ${now} in the candidate`];
  });
}

function howOften(answers: readonly (boolean | undefined)[]): string | undefined {
  const said = answers.filter((answer) => answer !== undefined);
  if (said.length === 0) return undefined;
  if (said.every(Boolean)) return 'yes';
  return said.some(Boolean) ? 'not always' : 'no';
}

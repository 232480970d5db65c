/** Privileges that the host granted to only one of two runs or levels. They can cause a difference of figures. */
import type { Cell } from '@topo-bench/core/schema/result';

/** `granted` returns undefined when a cell does not record the privilege. */
const privileges: readonly { what: string; granted: (cell: Cell) => boolean | undefined }[] = [
  { what: 'real-time priority of the load generator', granted: ({ generator }) => generator?.realTimePriority },
  // Older results lack the field: they ran without this privilege.
  { what: 'cores kept awake', granted: ({ generator }) => generator && generator.coresKeptAwake === true },
  { what: 'priority of the gateway', granted: ({ gateway }) => gateway?.priority },
];

/** @param sides how a sentence names the two sides */
export function privilegeNotes(
  baseline: readonly Cell[],
  candidate: readonly Cell[],
  sides: readonly [baseline: string, candidate: string] = ['in the baseline', 'in the candidate'],
): string[] {
  return privileges.flatMap(({ what, granted }) => {
    const [before, now] = [howOften(baseline.map(granted)), howOften(candidate.map(granted))];
    if (before === undefined || now === undefined || before === now) return [];
    return [`${what}: ${before} ${sides[0]}, ${now} ${sides[1]}`];
  });
}

function howOften(answers: readonly (boolean | undefined)[]): string | undefined {
  const known = answers.filter((answer) => answer !== undefined);
  if (known.length === 0) return undefined;
  if (known.every(Boolean)) return 'yes';
  return known.some(Boolean) ? 'not always' : 'no';
}

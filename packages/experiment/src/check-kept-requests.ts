/** `keepRequests` keeps requests of the gateway; other kinds of study send none, and a file without them would look like a run without load. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';

/** @param place of the experiment's field `keepRequests` */
export function checkKeptRequests({ keepRequests, persistence, flight }: ExperimentFile, place: SourceLocation): Problem[] {
  const kind = persistence ? '`persistence`' : flight ? '`flight`' : undefined;
  if (!keepRequests || kind === undefined) return [];
  return [
    {
      ...place,
      code: 'TB_EXPERIMENT_KEEP_REQUESTS',
      message: `\`keepRequests\` keeps requests that are sent to the gateway, and an experiment with ${kind} sends none`,
      hint: 'leave `keepRequests` (--keep-requests) out: what is sent is a function of the seed and the repetition',
    },
  ];
}

/**
 * `keepRequests` stores requests of the gateway. Other kinds of study send none; an empty file would look like no load.
 */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';

/**
 * For kinds of study that send nothing to the gateway.
 * @param field of the experiment that selects this kind
 * @param place of the experiment's field `keepRequests`
 */
export function checkKeptRequests({ keepRequests }: ExperimentFile, field: string, place: SourceLocation): Problem[] {
  if (!keepRequests) return [];
  return [
    {
      ...place,
      code: 'TB_EXPERIMENT_KEEP_REQUESTS',
      message: `\`keepRequests\` keeps requests that are sent to the gateway, and an experiment with \`${field}\` sends none`,
      hint: 'leave `keepRequests` (--keep-requests) out: what is sent is a function of the seed and the repetition',
    },
  ];
}

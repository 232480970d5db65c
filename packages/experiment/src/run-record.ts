/** `run.json` of a new run: everything that affects its figures, and the texts needed to continue it. */
import { type RunRecord, resultSchemaVersion } from '@topo-bench/core/schema/result';
import { readHostEnvironment } from '@topo-bench/host';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import type { ExperimentInputs } from './read-inputs.ts';
import type { ResolvedExperiment } from './resolve-experiment.ts';
import { withoutSecrets } from './stored-secrets.ts';
import { runServers } from './stores/run-servers.ts';

export interface RunIdentity {
  /** Version of topo-bench. */
  version: string;
  command: readonly string[];
  startedAt: Date;
  /** Connection strings of user-supplied database servers, from flags. */
  serverUrls?: ServerUrls | undefined;
}

export function newRunRecord(
  resolved: ResolvedExperiment,
  { version, command, startedAt, serverUrls }: RunIdentity,
): RunRecord {
  const { experiment, named, topology, rules, cells, inputs } = resolved;
  const { files, ...texts } = inputs;
  const storeServers = runServers(cells, serverUrls);
  return withoutSecrets({
    schemaVersion: resultSchemaVersion,
    name: experiment.name,
    status: 'running',
    startedAt: startedAt.toISOString(),
    command: [...command],
    ...(cells[0] && { study: cells[0].study.kind }),
    // The names alone would be equal in two runs whose levels differ.
    experiment: { ...experiment, factors: { ...experiment.factors, ...named } },
    topology: topology ? { ...topology, rules: rules ?? null } : null,
    inputs: texts,
    ...(files && { [files.name]: files.record }),
    seed: experiment.seed,
    environment: { topoBench: version, ...readHostEnvironment() },
    plannedCells: cells.map(({ levels }) => levels),
    repetitions: experiment.repetitions,
    ...(storeServers.length > 0 && { storeServers }),
  });
}

/** The source texts and choices of a recorded run, without secrets; `withSecrets` reads those from the files. */
export function inputsOf({ inputs }: RunRecord): ExperimentInputs {
  return inputs as ExperimentInputs;
}

/** Opens the experiment of a run folder again, to continue the run. */
import { TopoBenchError } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import { type ExperimentInputs, readText } from '@topo-bench/experiment/read-inputs';
import type { ServerUrls } from '@topo-bench/stores/servers/connection-strings';
import { studies } from '@topo-bench/studies';
import { Workbench } from './workbench.ts';

export interface ReopenOptions {
  /** How many repetitions the run has in the end; default: as many as were planned. */
  repetitions?: number | undefined;
  /** They stand in for passwords that the record does not have. */
  serverUrls?: ServerUrls | undefined;
}

/**
 * The workbench of the recorded experiment, whose `run` measures what the run lacks.
 * @throws TopoBenchError as `openRun` and `withSecrets`; `TB_USAGE` for a side of a gate, and for fewer repetitions
 */
export async function reopen(folder: string, { repetitions, serverUrls }: ReopenOptions = {}): Promise<Workbench> {
  // Loaded here, since only a resumed run needs them.
  const [{ openRun }, { inputsOf }, { withSecrets }] = await Promise.all([
    import('@topo-bench/results/run-folder'),
    import('@topo-bench/experiment/run-record'),
    import('@topo-bench/experiment/stored-secrets'),
  ]);
  const { record } = await openRun(folder);
  if (record.sideBySide) {
    throw new TopoBenchError('TB_USAGE', `cannot resume ${folder}: it is one side of a side-by-side gate`, {
      hint: 'measure both sides again with `topo-bench gate --experiment`',
    });
  }
  if (repetitions !== undefined) requireMoreRepetitions(folder, repetitions, record);
  const recorded = withRepetitions(inputsOf(record), repetitions);
  const inputs = await withSecrets(await withFiles(folder, recorded, record), serverUrls);
  const search = record.search?.condition.text;
  const { file } = inputs.experiment;
  return new Workbench({
    ...{ file, inputs, folder, studies, read: readText, choices: inputs.choices },
    ...(search !== undefined && { search }),
  });
}

function requireMoreRepetitions(folder: string, repetitions: number, record: RunRecord): void {
  if (repetitions >= record.repetitions) return;
  const message = `--repetitions adds to a run: got ${repetitions}, expected more than the ${record.repetitions} of ${folder}`;
  throw new TopoBenchError('TB_USAGE', message, { hint: 'name the number that the run is to have in the end' });
}

/** With the files that only the study of the run reads. */
async function withFiles(folder: string, inputs: ExperimentInputs, record: RunRecord): Promise<ExperimentInputs> {
  const study = studies.find(({ kind }) => kind === record.study);
  const name = study?.parts.input?.name;
  const recorded = name === undefined ? undefined : (record as unknown as Record<string, unknown>)[name];
  if (!study?.input || recorded === undefined) return inputs;
  return { ...inputs, files: await study.input.readAgain(folder, inputs.experiment, recorded) };
}

function withRepetitions(inputs: ExperimentInputs, repetitions: number | undefined): ExperimentInputs {
  if (repetitions === undefined) return inputs;
  const { choices } = inputs;
  return { ...inputs, choices: { ...choices, set: { ...choices?.set, repetitions } } };
}

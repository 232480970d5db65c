/** Checks that the run can judge the predictions, and prints the judgement. */
import { judgePredictions } from '@topo-bench/comparison/predictions';
import { counted, TopoBenchError } from '@topo-bench/core';
import type { Predictions } from '@topo-bench/core/schema/predictions';
import type { Cell, RunFolder } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results/run-folder';
import { maxForeignPercent } from '@topo-bench/workbench/calibration';
import { note, printJson, printLine } from '../../output.ts';
import { digestOfInputs, readPredictions } from '../../predictions-file.ts';
import { judgementLines } from './judgement-lines.ts';
import type { JudgeFlags } from './options.ts';

export async function action(file: string, folder: string, { keepDisturbed = false, json }: JudgeFlags): Promise<void> {
  const predictions = await readPredictions(file);
  const run = await openRun(folder);
  requireFit(predictions, run);
  noteOtherMachines(predictions, run);
  const usable = run.cells.filter(
    ({ validity, rtt }) => (validity.valid || validity.onlyLate === true) && rtt.count > 0,
  );
  const quiet = usable.filter((entry) => !isDisturbed(entry));
  const judged = keepDisturbed ? usable : quiet;
  if (judged.length === 0) throw nothingToJudge(folder, usable.length);
  const disturbed = usable.length - quiet.length;
  if (disturbed > 0) {
    const what = keepDisturbed ? 'judged all the same' : 'left out';
    note(
      `note: other programs used more than ${maxForeignPercent}% of the processors in ${disturbed} of ${usable.length} repetitions: ${what}`,
    );
  }
  const judgement = judgePredictions(predictions.cells, judged);
  if (json) return printJson({ judgement, predictions });
  for (const line of judgementLines(judgement, predictions)) printLine(line);
}

function isDisturbed({ resources: { host } }: Cell): boolean {
  return (host?.foreignPercent ?? 0) > maxForeignPercent;
}

/** @throws TopoBenchError `TB_PREDICTIONS_UNFIT` */
function requireFit({ createdAt, experiment }: Predictions, { folder, record }: RunFolder): void {
  const unfit = (message: string, hint: string): TopoBenchError =>
    new TopoBenchError('TB_PREDICTIONS_UNFIT', message, { hint });
  if (record.simulation)
    throw unfit(`${folder} is simulated: a prediction is judged by a measurement`, 'measure it with `topo-bench run`');
  if (Date.parse(record.startedAt) < Date.parse(createdAt)) {
    throw unfit(
      `the run began before the predictions were registered: got ${record.startedAt}, expected after ${createdAt}`,
      'measure again: a prediction that follows a measurement proves nothing',
    );
  }
  const inputs = digestOfInputs(record);
  if (inputs === experiment.inputsSha256) return;
  throw unfit(
    `${folder} has other inputs: got ${inputs.slice(0, 12)}, expected ${experiment.inputsSha256.slice(0, 12)} of ${experiment.name}`,
    'run the same experiment with the same --set, --only, --repetitions and --seed',
  );
}

/** The judgement is then of this difference, too. */
function noteOtherMachines({ machines }: Predictions, { folder, record: { environment } }: RunFolder): void {
  if (!machines) return;
  const { cores, cpuModel = environment.cpuModel } = machines;
  if (cores === environment.cores && cpuModel === environment.cpuModel) return;
  const predicted = `${counted(cores, 'core')} of ${cpuModel}`;
  const measured = `${counted(environment.cores, 'core')} of ${environment.cpuModel}`;
  note(`note: other machines: predicted for ${predicted}, and ${folder} was measured on ${measured}`);
}

function nothingToJudge(folder: string, disturbed: number): TopoBenchError {
  const why = disturbed > 0 ? `other programs disturbed all ${disturbed}` : 'it has no valid one';
  return new TopoBenchError('TB_CALIBRATION_DISTURBED', `no repetition of ${folder} can be judged: ${why}`, {
    hint: 'free the machine and measure again, or judge them all the same: --keep-disturbed',
  });
}

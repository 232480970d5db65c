/** `simulate` and `run`: an experiment within a time limit, with progress, until the client cancels. */
import { describeCell, formatSeconds, localRunner, TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { studies } from '@topo-bench/studies';
import type { Backend, ExperimentCell, RunEvent } from '@topo-bench/trial';
import { open, type Workbench } from '@topo-bench/workbench';
import { settingOf } from '../../../measuring.ts';
import { simulatedBackendOf } from '../../../simulating.ts';
import { type Chosen, choiceWords, optionWords } from '../command-words.ts';
import { runAnswer } from '../run-answer.ts';
import type { ToolContext } from '../tool-context.ts';

interface Asked extends Chosen {
  experiment: string;
  maxSeconds: number;
}

export async function simulate(
  { calibration, ...asked }: Asked & { calibration: string },
  context: ToolContext,
): Promise<object> {
  const backend = await simulatedBackendOf({ calibration: await context.files.find('calibrations', calibration) });
  const bench = await opened(asked, context);
  return measured(bench, asked, context, { backend, verb: 'simulate', calibration });
}

export function run(asked: Asked, context: ToolContext): Promise<object> {
  return runOn(undefined, asked, context);
}

/** @param backend undefined: the one of real processes */
export async function runOn(backend: Backend | undefined, asked: Asked, context: ToolContext): Promise<object> {
  const bench = await opened(asked, context);
  requireConfined(bench.cells);
  const { seconds } = await bench.estimate(settingOf({}, backend).backends);
  if (seconds > asked.maxSeconds) {
    const message = `the run takes about ${formatSeconds(seconds)}: more than the ${formatSeconds(asked.maxSeconds)} allowed`;
    throw new TopoBenchError('TB_USAGE', message, {
      hint: 'keep fewer levels with `only`, fewer `repetitions`, or raise `maxSeconds` (at most 600)',
    });
  }
  return measured(bench, asked, context, { backend, verb: 'run' });
}

/** Other kinds of study read files and start servers of their own. */
async function opened({ experiment, ...asked }: Asked, { files }: ToolContext): Promise<Workbench> {
  const path = await files.find('experiments', experiment);
  const bench = await open({ experiment: path, read: files.read }, choicesOf(asked), routing);
  const { experiment: settings } = bench.resolved;
  const other = studies.find(({ parts }) => parts.own && (settings as Record<string, unknown>)[parts.own.name]);
  if (!other) return bench;
  throw new TopoBenchError('TB_USAGE', `an experiment of the kind ${other.kind}: expected one of requests`, {
    hint: 'run it with the command line tool: topo-bench run',
  });
}

const routing = studies.filter(({ kind }) => kind === 'routing');

function choicesOf({ set, only, repetitions }: Chosen): Choices {
  return {
    set: { ...set, ...(repetitions !== undefined && { repetitions }) },
    ...(only && { only }),
  };
}

async function measured(
  bench: Workbench,
  asked: Asked,
  { signal, progress, measurements }: ToolContext,
  { backend, verb, calibration }: { backend: Backend | undefined; verb: string; calibration?: string },
): Promise<object> {
  const limit = AbortSignal.timeout(1000 * asked.maxSeconds);
  const words = [verb, asked.experiment, ...optionWords({ calibration }), ...choiceWords(asked)];
  const onEvent = (event: RunEvent): void => {
    if (event.kind === 'repetition')
      progress(event.finished, event.repetitions, `${describeCell(event.entry.factors)} #${event.entry.repetition}`);
  };
  try {
    const options = { ...settingOf({}, backend), command: words, onEvent };
    const run = await measurements.alone(`${verb} ${asked.experiment}`, () =>
      bench.run({ ...options, signal: AbortSignal.any([signal, limit]) }),
    );
    return await runAnswer(run);
  } catch (error) {
    if (!limit.aborted) throw error;
    throw new TopoBenchError('TB_INTERRUPTED', `ended after ${formatSeconds(asked.maxSeconds)}, without an answer`, {
      hint: 'keep fewer levels with `only`, fewer `repetitions`, or raise `maxSeconds` (at most 600)',
      cause: error,
    });
  }
}

/** @throws TopoBenchError `TB_USAGE` for containers, commands of files, and servers that they name */
function requireConfined(cells: readonly ExperimentCell[]): void {
  for (const { settings, graph } of cells) {
    if (settings.runner !== localRunner)
      throw refused(`runner ${settings.runner}: this server measures with the runner ${localRunner}`);
    for (const { name, user, persistence } of graph.services) {
      if (user !== undefined) throw refused(`${name} is user-supplied: this server starts no commands of files`);
      if (persistence?.image !== undefined)
        throw refused(`${name} has a store of the image ${persistence.image}: this server starts no images`);
      // Its address can contain a password.
      if (persistence?.url !== undefined)
        throw refused(`${name} has a store on a server of your own: this server writes to no databases of files`);
    }
  }
}

function refused(message: string): TopoBenchError {
  return new TopoBenchError('TB_USAGE', message, { hint: 'run it with the command line tool: topo-bench run' });
}

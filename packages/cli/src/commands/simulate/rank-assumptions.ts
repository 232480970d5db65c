/** `simulate --sensitivity`: the assumptions behind an answer, ranked by how far they move it. */
import { formatChange } from '@topo-bench/comparison';
import { TopoBenchError } from '@topo-bench/core';
import type { Calibration } from '@topo-bench/core/schema/calibration';
import { open } from '@topo-bench/workbench';
import {
  type AnswerFigure,
  type AssumptionsAnswer,
  assumptionsOf,
  fewestRepetitions,
} from '@topo-bench/workbench/questions/assumptions';
import { choicesOf } from '../../choices.ts';
import { interruptible } from '../../interrupt.ts';
import { printJson, printLine, progressLine, setQuiet } from '../../output.ts';
import { findFile } from '../../shipped-files.ts';
import type { SimulateFlags } from './options.ts';

type Flags = Omit<SimulateFlags, 'calibration' | 'breakEven' | 'sensitivity'>;

/** All of them move in one direction by chance in one of 128 cases. */
const defaultRepetitions = 8;
const shownRows = 15;

export async function rankAssumptions(experiment: string, calibration: Calibration, flags: Flags): Promise<void> {
  setQuiet(flags.quiet === true);
  const { repetitions = defaultRepetitions, ...others } = flags;
  if (repetitions < fewestRepetitions) {
    throw new TopoBenchError('TB_USAGE', `--repetitions ${repetitions} with --sensitivity: got fewer than six`, {
      hint: `fewer agree by chance: leave it out, which means ${defaultRepetitions}`,
    });
  }
  const bench = await open({ experiment: await findFile('experiments', experiment) }, choicesOf(others));
  const { cells } = bench.resolved;
  const answer = await interruptible(
    (signal) =>
      assumptionsOf(cells, calibration, {
        ...{ repetitions, signal },
        onProgress: (done, all) => done % 10 === 0 && progressLine(`${done} of ${all} assumptions varied`),
      }),
    'interrupted',
  );
  const { name, machine, assumed } = calibration;
  if (flags.json) return printJson({ calibration: { name, machine, assumed }, ...answer });
  printLine(`Simulated, not measured: by the calibration ${name} of ${machine}${assumed ? ', which is assumed' : ''}.`);
  printLine(
    `The median round-trip time of ${answer.option} is ${figureText(answer.base)} against ${answer.against}, over ${answer.repetitions} repetitions.`,
  );
  for (const line of tableLines(answer)) printLine(line);
}

function tableLines({ effects, factor, option, against }: AssumptionsAnswer): string[] {
  const heads = ['assumption', 'source', `÷ ${factor}`, `× ${factor}`, 'moves by', ''];
  const rows = effects
    .slice(0, shownRows)
    .map(({ name, source, lower, higher, moves, agrees, overturns }) => [
      ...[
        name,
        source,
        changeText(lower),
        changeText(higher),
        Number.isNaN(moves) ? '–' : `${moves.toFixed(1)} points`,
      ],
      overturns ? `then ${against} is faster than ${option}` : agrees || Number.isNaN(moves) ? '' : 'within noise',
    ]);
  const all = [heads, ...rows];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] as string).length)));
  const lines = all.map((row) =>
    row
      .map((text, at) => text.padEnd(widths[at] as number))
      .join('  ')
      .trimEnd(),
  );
  const hidden = effects.length - rows.length;
  return ['', ...lines, ...(hidden > 0 ? [`and ${hidden} that move it less; --json has all`] : [])];
}

function changeText({ percent, state }: AnswerFigure): string {
  return state ?? formatChange(percent);
}

function figureText({ percent, percents }: AnswerFigure): string {
  const [low, high] = [Math.min(...percents), Math.max(...percents)];
  return `${formatChange(percent)} (repetitions ${formatChange(low)} to ${formatChange(high)})`;
}

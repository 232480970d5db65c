/** Limits on the size of an experiment, checked from counts before anything is expanded. */

import type { FactorLevel, Problem } from '@topo-bench/core';
import { counted } from '@topo-bench/core';
import type { SourceDocument } from '@topo-bench/topology';

/** Each cell has a deployment plan of its own: 0.5 MB with a thousand services. */
const maxCells = 1000;
/** At one second each, more than a day. */
const maxRepetitions = 100_000;

/** @param factors as in the file, after the choices of the command line; levels may still be invalid */
export function checkSize(
  factors: Readonly<Record<string, readonly FactorLevel[]>>,
  repetitions: number,
  source: SourceDocument,
): Problem[] {
  const counts = Object.entries(factors).map(([factor, levels]) => ({ factor, levels: levels.length }));
  const cells = counts.reduce((product, { levels }) => product * levels, 1);
  const code = 'TB_EXPERIMENT_TOO_LARGE';
  if (cells > maxCells) {
    const factorsOfMany = counts.filter(({ levels }) => levels > 1);
    const product = factorsOfMany.map(({ factor, levels }) => `${factor} (${levels})`).join(' × ');
    const message = `${product} makes ${cells} cells, expected at most ${maxCells}`;
    return [
      {
        ...source.locate(['factors']),
        code,
        message,
        hint: 'leave out levels, or split the experiment in several files',
      },
    ];
  }
  if (cells * repetitions <= maxRepetitions) return [];
  const message = `${counted(cells, 'cell')} × ${counted(repetitions, 'repetition')} makes ${cells * repetitions}, expected at most ${maxRepetitions}`;
  return [{ ...source.locate(['repetitions']), code, message, hint: 'lower `repetitions`, or leave out levels' }];
}

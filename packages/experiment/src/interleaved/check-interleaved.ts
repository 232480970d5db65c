/** Checks the requirements of `deploy: interleaved` that are known from the files. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import { commandsOf } from '../side-by-side/with-ref.ts';
import type { ExperimentCell } from '../study.ts';
import { obstacleToTurns } from './can-take-turns.ts';

/** @param place of the experiment's field `deploy` */
export function checkInterleaved(cells: readonly ExperimentCell[], place: SourceLocation): Problem[] {
  const interleaved = cells.filter(({ settings }) => settings.deploy === 'interleaved');
  const problem = (message: string, hint: string): Problem => ({
    ...place,
    code: 'TB_EXPERIMENT_INTERLEAVED',
    message,
    hint,
  });
  for (const cell of interleaved) {
    const obstacle = obstacleToTurns(cell);
    if (!obstacle) continue;
    const hint = obstacle.hint.includes('driver') ? obstacle.hint : 'use `deploy: fresh`';
    return [problem(`\`deploy: interleaved\` ${obstacle.message}`, hint)];
  }
  const [first] = interleaved;
  if (first && first.settings.turns.slice < 1000) {
    return [problem('`turns.slice` is shorter than 1 ms', 'a slice of 500ms to 1s suits most experiments')];
  }
  const several = new Set(interleaved.map(({ deployment }) => deployment)).size > 1;
  const fixed = interleaved.flatMap(({ graph }) => commandsOf(graph)).find(({ user }) => typeof user.port === 'number');
  if (!several || !fixed) return [];
  return [
    problem(
      `"${fixed.name}" listens on port ${fixed.user.port}, which levels deployed together cannot share`,
      'write `port: env PORT` and let the command listen on the port that it is given, or use `deploy: round`',
    ),
  ];
}

/** Checks the requirements of cells that are deployed together and take turns, as far as the files tell. */
import { type Problem, type SourceLocation, TopoBenchError } from '@topo-bench/core';
import type { ExperimentCell } from '@topo-bench/trial';
import { commandsOf } from '../side-by-side/with-ref.ts';
import { type Obstacle, obstacleToTurns } from './can-take-turns.ts';

/** @param place of the experiment's field `deploy` */
export function checkInterleaved(cells: readonly ExperimentCell[], place: SourceLocation): Problem[] {
  const interleaved = cells.filter(({ settings }) => settings.deploy === 'interleaved');
  const problem = ({ message, hint }: Obstacle): Problem => ({
    ...place,
    code: 'TB_EXPERIMENT_INTERLEAVED',
    message,
    hint,
  });
  for (const cell of interleaved) {
    const obstacle = obstacleToTurns(cell);
    if (!obstacle) continue;
    const hint = obstacle.hint.includes('driver') ? obstacle.hint : 'use `deploy: fresh`';
    return [problem({ message: `\`deploy: interleaved\` ${obstacle.message}`, hint })];
  }
  const [first] = interleaved;
  if (first && first.settings.turns.slice < 1000) {
    return [
      problem({ message: '`turns.slice` is shorter than 1 ms', hint: 'a slice of 500ms to 1s suits most experiments' }),
    ];
  }
  const fixed = sharedPort(interleaved);
  return fixed ? [problem({ ...fixed, hint: `${fixed.hint}, or use \`deploy: round\`` })] : [];
}

/**
 * Checks the cells of a search for the max rate, whose lines are deployed together whatever `deploy` is.
 * @throws TopoBenchError `TB_EXPERIMENT_INTERLEAVED`
 */
export function requireSearchable(cells: readonly ExperimentCell[], flag: string): void {
  const [obstacle] = cells.flatMap((cell) => obstacleToTurns(cell) ?? []);
  if (obstacle) {
    throw new TopoBenchError(
      'TB_EXPERIMENT_INTERLEAVED',
      `${flag} needs the open driver and services without stores: it ${obstacle.message}`,
      {
        hint: obstacle.hint.includes('driver') ? obstacle.hint : 'leave it out, and compare fixed rates or connections',
      },
    );
  }
  const fixed = sharedPort(cells);
  if (fixed) throw new TopoBenchError('TB_EXPERIMENT_INTERLEAVED', `${flag}: ${fixed.message}`, { hint: fixed.hint });
}

/** A port that the commands of several deployments would need at once. */
function sharedPort(cells: readonly ExperimentCell[]): Obstacle | undefined {
  const several = new Set(cells.map(({ deployment }) => deployment)).size > 1;
  const fixed = cells.flatMap(({ graph }) => commandsOf(graph)).find(({ user }) => typeof user.port === 'number');
  if (!several || !fixed) return undefined;
  return {
    message: `"${fixed.name}" listens on port ${fixed.user.port}, which levels deployed together cannot share`,
    hint: 'write `port: env PORT` and let the command listen on the port that it is given',
  };
}

/** The two sides of a side-by-side measurement: one experiment, resolved once for each, cell beside cell. */
import { TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { factorScope } from '@topo-bench/topology';
import type { ExperimentCell } from '../build-cell.ts';
import { obstacleToTurns } from '../interleaved/can-take-turns.ts';
import { type Choices, readInputs } from '../read-inputs.ts';
import { type ResolvedExperiment, resolveExperiment } from '../resolve-experiment.ts';
import type { Study } from '../study.ts';
import { type Ref, refError } from './ref.ts';
import { commandsOf, withRef } from './with-ref.ts';

export const sideNames = ['baseline', 'candidate'] as const;
export type SideName = (typeof sideNames)[number];
export type Sides<T> = Record<SideName, T>;

export interface SideChoice {
  /** Absent: the experiment as its files have it. */
  ref?: Ref;
  /** Fields of the topology that only this side has so. */
  set: Readonly<Record<string, unknown>>;
}

/**
 * Reads the experiment for both sides. The sides have the same cells in the same order; levels on which they differ are
 * what is measured and tell no cells apart, so they are left out.
 * @param choices for both sides
 * @throws TopoBenchError `TB_GATE_REF` when they cannot stand side by side, `TB_USAGE` when the load could not take
 *   turns, and what files throw
 */
export async function resolveSides(
  experimentFile: string,
  choices: Choices,
  sides: Sides<SideChoice>,
  studies: readonly Study[],
): Promise<Sides<ResolvedExperiment>> {
  const baseline = await resolveSide(experimentFile, choices, sides.baseline, studies);
  const candidate = await resolveSide(experimentFile, choices, sides.candidate, studies);
  return beside(baseline, candidate);
}

async function resolveSide(
  file: string,
  choices: Choices,
  { ref, set }: SideChoice,
  studies: readonly Study[],
): Promise<ResolvedExperiment> {
  for (const name of Object.keys(set)) {
    if (name !== 'topology' && factorScope(name) === 'topology') continue;
    throw new TopoBenchError('TB_USAGE', `${name} is no field of the topology: both sides get the same load`, {
      hint: `choose it for both: --set ${name}=…`,
    });
  }
  const topology = ref?.kind === 'topology' ? { topology: ref.path } : {};
  const inputs = await readInputs(file, { ...choices, set: { ...choices.set, ...topology, ...set } });
  const resolved = resolveExperiment(inputs, studies);
  return ref ? { ...resolved, cells: resolved.cells.map((cell) => withRef(cell, ref)) } : resolved;
}

function beside(baseline: ResolvedExperiment, candidate: ResolvedExperiment): Sides<ResolvedExperiment> {
  if (baseline.cells.length !== candidate.cells.length) {
    throw refError(
      `the baseline has ${baseline.cells.length} cells and the candidate ${candidate.cells.length}`,
      'let no field differ between the sides that is a factor of the experiment; --only and --set narrow factors for both',
    );
  }
  const pairs = baseline.cells.map((cell, at) => besideCell(cell, candidate.cells[at] as ExperimentCell));
  return {
    baseline: { ...baseline, cells: pairs.map(([cell]) => cell) },
    candidate: { ...candidate, cells: pairs.map(([, cell]) => cell) },
  };
}

function besideCell(baseline: ExperimentCell, candidate: ExperimentCell): [ExperimentCell, ExperimentCell] {
  for (const cell of [baseline, candidate]) requireSliceable(cell);
  if (JSON.stringify(baseline.graph.requestClasses) !== JSON.stringify(candidate.graph.requestClasses)) {
    throw refError(
      'the topologies of the two sides have different requests',
      'let requests.classes be equal: only what answers them may differ',
    );
  }
  requireOwnPorts(baseline, candidate);
  const levels = commonLevels(baseline.levels, candidate.levels);
  return [
    { ...baseline, levels },
    { ...candidate, levels },
  ];
}

function requireSliceable(cell: ExperimentCell): void {
  if (cell.settings.keepRequests) {
    throw new TopoBenchError(
      'TB_EXPERIMENT_KEEP_REQUESTS',
      'a gate keeps no requests, and the experiment has `keepRequests: true`',
      {
        hint: 'add `--set keepRequests=false`',
      },
    );
  }
  const obstacle = obstacleToTurns(cell);
  if (!obstacle) return;
  const hint = obstacle.hint.includes('driver')
    ? obstacle.hint
    : 'run the experiment once per side, and gate the two runs';
  throw new TopoBenchError('TB_USAGE', `side by side ${obstacle.message}`, { hint });
}

function requireOwnPorts(baseline: ExperimentCell, candidate: ExperimentCell): void {
  const portOf = new Map(commandsOf(baseline.graph).map(({ name, user }) => [user.port, name]));
  for (const { name, user } of commandsOf(candidate.graph)) {
    if (typeof user.port !== 'number' || !portOf.has(user.port)) continue;
    throw refError(
      `"${name}" listens on port ${user.port}, which two sides cannot share`,
      'write `port: env PORT` and let the command listen on the port that it is handed',
    );
  }
}

function commonLevels(baseline: FactorLevels, candidate: FactorLevels): FactorLevels {
  return Object.fromEntries(Object.entries(baseline).filter(([factor, level]) => candidate[factor] === level));
}

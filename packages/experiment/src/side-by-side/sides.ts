/** The two sides of a side-by-side measurement: one experiment, resolved once for each, with paired cells. */
import { counted, TopoBenchError } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { factorScope, parseSource } from '@topo-bench/topology';
import type { ExperimentCell, SideName, Sides, Study } from '@topo-bench/trial';
import { obstacleToTurns } from '../interleaved/can-take-turns.ts';
import { levelFields } from '../named-levels.ts';
import { type Choices, type ReadText, readInputs } from '../read-inputs.ts';
import { type ResolvedExperiment, resolveExperiment } from '../resolve-experiment.ts';
import { type Ref, refError } from './ref.ts';
import { commandsOf, withRef } from './with-ref.ts';

export interface SideChoice {
  /** Default: the experiment as in its files. */
  ref?: Ref;
  /** Fields of the topology with other values on this side. */
  set: Readonly<Record<string, unknown>>;
}

/**
 * Reads the experiment for both sides. The sides have the same cells in the same order. Levels on which they differ are
 * measured and do not identify cells, so they are left out.
 * @param choices for both sides
 * @param read default: from the disk
 * @throws TopoBenchError `TB_GATE_REF` if they cannot run side by side, `TB_USAGE` if the load cannot take turns, and
 *   errors of files
 */
export async function resolveSides(
  experimentFile: string,
  choices: Choices,
  sides: Sides<SideChoice>,
  studies: readonly Study[],
  read?: ReadText,
): Promise<Sides<ResolvedExperiment>> {
  const baseline = await resolveSide(experimentFile, choices, sides.baseline, studies, read);
  const candidate = await resolveSide(experimentFile, choices, sides.candidate, studies, read);
  return pairSides(baseline, candidate);
}

async function resolveSide(
  file: string,
  choices: Choices,
  { ref, set }: SideChoice,
  studies: readonly Study[],
  read: ReadText | undefined,
): Promise<ResolvedExperiment> {
  const topology = ref?.kind === 'topology' ? { topology: ref.path } : {};
  const inputs = await readInputs(file, { ...choices, set: { ...choices.set, ...topology, ...set } }, studies, read);
  const { factors } = (parseSource(inputs.experiment).value ?? {}) as { factors?: unknown };
  for (const name of Object.keys(set)) {
    const ofLevels = levelFields(factors).flatMap(({ factor, field }) => (factor === name ? field : []));
    const fields = ofLevels.length > 0 ? ofLevels : [name];
    if (fields.every((field) => field !== 'topology' && factorScope(field) === 'topology')) continue;
    throw new TopoBenchError('TB_USAGE', `${name} is no field of the topology: both sides get the same load`, {
      hint: `choose it for both: --set ${name}=…`,
    });
  }
  const resolved = resolveExperiment(inputs, studies);
  return ref ? { ...resolved, cells: resolved.cells.map((cell) => withRef(cell, ref)) } : resolved;
}

function pairSides(baseline: ResolvedExperiment, candidate: ResolvedExperiment): Sides<ResolvedExperiment> {
  if (baseline.cells.length !== candidate.cells.length) {
    throw refError(
      `the baseline has ${counted(baseline.cells.length, 'cell')} and the candidate ${candidate.cells.length}`,
      'use equal factors on both sides; --only and --set narrow factors for both',
    );
  }
  const pairs = baseline.cells.map((cell, at) => pairCells(cell, candidate.cells[at] as ExperimentCell));
  return {
    baseline: { ...baseline, cells: pairs.map(([cell]) => cell) },
    candidate: { ...candidate, cells: pairs.map(([, cell]) => cell) },
  };
}

function pairCells(baseline: ExperimentCell, candidate: ExperimentCell): [ExperimentCell, ExperimentCell] {
  for (const cell of [baseline, candidate]) requireSliceable(cell);
  if (JSON.stringify(baseline.graph.requestClasses) !== JSON.stringify(candidate.graph.requestClasses)) {
    throw refError(
      'the topologies of the two sides have different requests',
      'use equal requests.classes: only the services may differ',
    );
  }
  requireOwnPorts(baseline, candidate);
  const levels = commonLevels(baseline.levels, candidate.levels);
  return [sideOf(baseline, 'baseline', levels), sideOf(candidate, 'candidate', levels)];
}

/** Traced hops would delay the side that has more of them. */
function sideOf({ settings, ...cell }: ExperimentCell, side: SideName, levels: FactorLevels): ExperimentCell {
  return { ...cell, side, levels, settings: { ...settings, traceHops: 0 } };
}

function requireSliceable(cell: ExperimentCell): void {
  if (cell.settings.keepRequests) {
    throw new TopoBenchError('TB_EXPERIMENT_KEEP_REQUESTS', 'keepRequests: got true, expected false in a gate', {
      hint: 'add `--set keepRequests=false`',
    });
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
      'write `port: env PORT` and make the command listen on that port',
    );
  }
}

function commonLevels(baseline: FactorLevels, candidate: FactorLevels): FactorLevels {
  return Object.fromEntries(Object.entries(baseline).filter(([factor, level]) => candidate[factor] === level));
}

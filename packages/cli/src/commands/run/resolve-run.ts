/** The first stage of `run`: an experiment file, or the record of a run to resume, resolved to cells. */
import { formatLocation, TopoBenchError } from '@topo-bench/core';
import { type Choices, type ExperimentInputs, readInputs } from '@topo-bench/experiment/read-inputs';
import { type ResolvedExperiment, resolveExperiment } from '@topo-bench/experiment/resolve-experiment';
import { studies } from '@topo-bench/studies';
import { parseSource } from '@topo-bench/topology';
import type { RecordedTrack } from '@topo-bench/trial';
import { choicesOf } from '../../choices.ts';
import { requireOneRunner } from '../../one-runner.ts';
import { note } from '../../output.ts';
import { serverUrlsOf } from '../../server-urls.ts';
import { findFile } from '../../shipped-files.ts';
import type { RunFlags } from './options.ts';
import { ownDataChoices, ownDataFlags, requireNoOther } from './own-data.ts';
import { requireStreamFor, trackChoices } from './recorded-tracks.ts';
import { requireMoreRepetitions, requireNoChoices, requireResumeFor, requireSearchFor } from './resume-flags.ts';

/** Prints the warnings of the experiment. */
export async function resolveRun(experiment: string | undefined, flags: RunFlags): Promise<ResolvedExperiment> {
  requireResumeFor(flags);
  const resolved = await (flags.resume === undefined
    ? resolveFile(experiment, flags)
    : resolveRecorded(experiment, flags.resume, flags));
  requireSearchFor(flags);
  for (const { message, ...place } of resolved.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
  return resolved;
}

async function resolveFile(experiment: string | undefined, flags: RunFlags): Promise<ResolvedExperiment> {
  if (experiment === undefined) {
    const hint = flags.gpx
      ? 'name it before --gpx, which takes all words after it: topo-bench run stream-small --gpx FILE…'
      : 'name a file or a shipped experiment, e.g. topo-bench run quickstart';
    throw new TopoBenchError('TB_USAGE', 'run needs an experiment: got none', { hint });
  }
  const given = choicesOf(flags);
  const own = ownDataChoices(flags);
  requireNoOther(given.set ?? {}, own, flags);
  const tracks = trackChoices(given.set ?? {}, flags);
  const choices: Choices = { ...given, ...own, ...tracks, set: { ...given.set, ...own.set, ...tracks.set } };
  if (flags.findMax !== undefined) {
    const { parseCondition } = await import('@topo-bench/results/find-max');
    parseCondition(flags.findMax);
  }
  const inputs = await readInputs(await findFile('experiments', experiment), choices);
  requireOneRunner(flags.runner, inputs.experiment);
  requireAccessFor(flags, inputs);
  requireStreamFor(flags, inputs.experiment);
  return flags.findMax === undefined ? resolveExperiment(inputs, studies) : resolveSearch(inputs);
}

/** All lines of a search are deployed together, and their rates come from the search. */
async function resolveSearch(inputs: ExperimentInputs): Promise<ResolvedExperiment> {
  const { requireSearchable } = await import('@topo-bench/experiment/searchable');
  // As it stands first: what the search needs is reported by the name of its flag, not of `deploy`.
  requireSearchable(resolveExperiment(inputs, studies).cells, '--find-max');
  const { choices } = inputs;
  const together = { ...choices, set: { ...choices.set, deploy: 'interleaved' } };
  return resolveExperiment({ ...inputs, choices: together }, studies);
}

/** @throws TopoBenchError `TB_USAGE` for a flag with own data, and an experiment that reads no table */
function requireAccessFor(flags: RunFlags, { experiment }: ExperimentInputs): void {
  const [flag] = ownDataFlags(flags);
  const { value } = parseSource(experiment);
  if (flag === undefined || typeof value !== 'object' || value === null || 'access' in value) return;
  const message = `${flag} needs an experiment with \`access\`: got ${experiment.file}, which has none`;
  throw new TopoBenchError('TB_USAGE', message, { hint: `e.g. topo-bench run data-access-small ${flag} …` });
}

async function resolveRecorded(
  experiment: string | undefined,
  folder: string,
  flags: RunFlags,
): Promise<ResolvedExperiment> {
  if (experiment !== undefined) {
    const message = `--resume takes the experiment from ${folder}: got ${experiment} as well, expected none`;
    throw new TopoBenchError('TB_USAGE', message, { hint: `leave it out: topo-bench run --resume ${folder}` });
  }
  requireNoChoices(flags);
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
  if (record.search) flags.findMax = record.search.condition.text;
  if (flags.repetitions !== undefined) requireMoreRepetitions(folder, flags.repetitions, { record });
  const recorded = withRepetitions(inputsOf(record), flags.repetitions);
  const inputs = record.tracks ? await withSameTracks(folder, recorded, record.tracks) : recorded;
  return resolveExperiment(await withSecrets(inputs, serverUrlsOf(flags)), studies);
}

async function withSameTracks(
  folder: string,
  inputs: ExperimentInputs,
  recorded: readonly RecordedTrack[],
): Promise<ExperimentInputs> {
  const { sameTracks } = await import('@topo-bench/experiment/tracks');
  return { ...inputs, tracks: sameTracks(folder, inputs.experiment, recorded) };
}

/** @param repetitions undefined leaves the recorded number */
function withRepetitions(inputs: ExperimentInputs, repetitions: number | undefined): ExperimentInputs {
  if (repetitions === undefined) return inputs;
  const { choices } = inputs;
  return { ...inputs, choices: { ...choices, set: { ...choices?.set, repetitions } } };
}

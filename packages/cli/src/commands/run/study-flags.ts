/**
 * Options of single kinds of study, which name data or servers of the user. The verb knows them by this interface
 * alone: a study that brings options of its own adds them to the list.
 */
import { TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { parseSource, type SourceText } from '@topo-bench/topology';
import { Option } from 'commander';
import { type OwnDataFlags, ownData } from './own-data.ts';
import { recordedTracks, type TrackFlags } from './recorded-tracks.ts';
import type { StudyOptions } from './study-options.ts';

export interface StudyFlags extends OwnDataFlags, TrackFlags {
  flinkUrl?: string;
}

const all: readonly StudyOptions<StudyFlags>[] = [ownData, recordedTracks];

export function studyOptions(): Option[] {
  return all.flatMap((one) => one.options());
}

/** Servers of single kinds of study, next to those of stores. */
export function studyServers(): Option[] {
  const help = 'run stream jobs with `engine: flink` on this Flink cluster, e.g. http://127.0.0.1:8081';
  return [new Option('--flink-url <url>', help)];
}

/** The given flags that change an experiment, as a user writes them. */
export function givenOf(flags: StudyFlags): string[] {
  return all.flatMap((one) => one.given(flags));
}

/** @returns the choices with those of the flags. @throws TopoBenchError `TB_USAGE` */
export function withStudyChoices(choices: Choices, flags: StudyFlags): Choices {
  const own = all.map((one) => one.choices(choices.set ?? {}, flags));
  const without = own.flatMap((one) => one.without ?? []);
  const set = Object.assign({}, choices.set, ...own.map((one) => one.set));
  return { ...choices, set, ...(without.length > 0 && { without }) };
}

/** @throws TopoBenchError `TB_USAGE` for a flag of another kind of study than that of the experiment */
export function requireStudyOf(flags: StudyFlags, experiment: SourceText): void {
  const { value } = parseSource(experiment);
  if (typeof value !== 'object' || value === null) return;
  for (const { section, example, given } of all) {
    const [flag] = given(flags);
    if (flag === undefined || section in value) continue;
    const message = `${flag} needs an experiment with \`${section}\`: got ${experiment.file}, which has none`;
    throw new TopoBenchError('TB_USAGE', message, { hint: `e.g. topo-bench run ${example} ${flag} …` });
  }
}

/** Flags of single kinds of study. The verb knows them as data: a study that brings flags of its own lists them. */
import { TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { studyFlags } from '@topo-bench/studies/flags';
import type { FlagValues, StudyFlag, StudyFlags } from '@topo-bench/study-kit/study-flags';
import { parseSource, type SourceText } from '@topo-bench/topology';
import { Option } from 'commander';

const optionsOf = (flags: readonly StudyFlag[]): Option[] =>
  flags.map(({ flag, description }) => new Option(flag, description));

export function studyOptions(): Option[] {
  return optionsOf(studyFlags.flatMap(({ flags }) => flags));
}

/** Servers of single kinds of study, next to those of stores. */
export function studyServers(): Option[] {
  return optionsOf(studyFlags.flatMap(({ servers = [] }) => servers));
}

export function studyExamples(): (readonly [command: string, effect: string])[] {
  return studyFlags.flatMap(({ examples }) => examples);
}

/** Addresses of servers that only one kind of study uses, by the names of their flags. */
export function studyAddresses(values: object): Record<string, string> {
  return Object.fromEntries(
    studyServers().flatMap((option) => {
      const given = (values as FlagValues)[option.attributeName()];
      return typeof given === 'string' ? [[option.attributeName(), given]] : [];
    }),
  );
}

/** The given flags that change an experiment. */
export function givenOf(values: object): Option[] {
  return studyFlags.flatMap((study) => givenTo(study, values));
}

/** @returns the choices with those of the flags. @throws TopoBenchError `TB_USAGE` */
export function withStudyChoices(choices: Choices, values: object): Choices {
  const own = studyFlags.map((study) => study.choices(choices.set ?? {}, values as FlagValues));
  const without = own.flatMap((one) => one.without ?? []);
  const set = Object.assign({}, choices.set, ...own.map((one) => one.set));
  return { ...choices, set, ...(without.length > 0 && { without }) };
}

/** @throws TopoBenchError `TB_USAGE` for a flag of another kind of study than that of the experiment */
export function requireStudyOf(values: object, experiment: SourceText): void {
  const { value } = parseSource(experiment);
  if (typeof value !== 'object' || value === null) return;
  for (const study of studyFlags) {
    const [option] = givenTo(study, values);
    if (option === undefined || study.section in value) continue;
    const flag = option.long;
    const message = `${flag} needs an experiment with \`${study.section}\`: got ${experiment.file}, which has none`;
    throw new TopoBenchError('TB_USAGE', message, { hint: `e.g. topo-bench run ${study.example} ${flag} …` });
  }
}

function givenTo({ flags }: StudyFlags, values: object): Option[] {
  return optionsOf(flags).filter((option) => (values as FlagValues)[option.attributeName()] !== undefined);
}

/** Opens an experiment from its texts: those on a disk, or those that a page has. */
import { TopoBenchError } from '@topo-bench/core';
import { type Choices, type ReadText, readInputs, readText, textsByName } from '@topo-bench/experiment/read-inputs';
import { studies } from '@topo-bench/studies';
import type { SourceText } from '@topo-bench/topology';
import type { Admit, Study } from '@topo-bench/trial';
import { Workbench } from './workbench.ts';

export interface Texts {
  /** Path of the experiment. */
  experiment: string;
  /** Contents by path, of all files that the experiment leads to; default: the files on the disk. */
  files?: Readonly<Record<string, string>>;
  /** Reads each of them; default: from `files`, or the disk. */
  read?: ReadText;
  /** Asked about each file that a kind of study reads itself, always from the disk; default: all are read. */
  admit?: Admit;
}

export function readOf({ files, read }: Omit<Texts, 'experiment'>): ReadText {
  return read ?? (files ? textsByName(files) : readText);
}

/**
 * Never throws for faults of texts and choices: the workbench then has them as its problems.
 * @param known kinds of study
 */
export async function open(
  { experiment, ...texts }: Texts,
  choices: Choices = {},
  known: readonly Study[] = studies,
): Promise<Workbench> {
  const read = eachOnce(readOf(texts));
  const opened = { file: experiment, choices, studies: known, read };
  try {
    return new Workbench({ ...opened, inputs: await readInputs(experiment, choices, known, read, texts.admit) });
  } catch (failure) {
    if (!(failure instanceof TopoBenchError)) throw failure;
    const source = await read(experiment).catch(() => undefined);
    return new Workbench({ ...opened, failure, ...(source && { source }) });
  }
}

/** Both sides of a gate read the same texts, and a text is parsed once. */
function eachOnce(read: ReadText): ReadText {
  const texts = new Map<string, Promise<SourceText>>();
  return (file, namedBy) => {
    const text = texts.get(file) ?? read(file, namedBy);
    texts.set(file, text);
    return text;
  };
}

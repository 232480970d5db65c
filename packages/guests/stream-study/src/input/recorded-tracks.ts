/**
 * Recorded tracks of a stream experiment. Their files are read before a run, for the number of their points and for a
 * digest, by which a resumed run finds that one has changed.
 */
import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { factorPath, type Problem, systemErrorText, TopoBenchError } from '@topo-bench/core';
import { type ExperimentDocument, withChoices, withLevel } from '@topo-bench/experiment/experiment-document';
import { problemsError } from '@topo-bench/experiment/problem-list';
import { shownPath } from '@topo-bench/experiment/read-inputs';
import type { GpsPoints } from '@topo-bench/streams/tracks';
import { parseSource, type SourceDocument, type SourceText } from '@topo-bench/topology';
import type { Admit, ChosenFields, ExperimentCell, InputFiles, StudyInput } from '@topo-bench/trial';

const field = 'stream.gpx';
/** The schema has it for `points` too. */
const minPoints = 1000;

/** A GPX file as a run records it. */
export interface RecordedTrack {
  /** As written: relative to the experiment file. */
  path: string;
  /** Digest of its bytes. */
  sha256: string;
  points: number;
}

interface TrackFile extends RecordedTrack {
  /** Path relative to the working directory. */
  file: string;
}

export const trackInput: StudyInput = {
  async read(experiment, chosen, admit) {
    const source = parseSource(experiment);
    const paths = pathsOf(source.value, chosen);
    return paths && new RecordedTracks(await readTracks(paths, source, experiment, chosen, admit));
  },
  async readAgain(folder, experiment, record) {
    return new RecordedTracks(sameTracks(folder, experiment, record as readonly RecordedTrack[]));
  },
};

/** In the order in which the experiment names them. */
export class RecordedTracks implements InputFiles {
  readonly name = 'tracks';
  readonly #files: readonly TrackFile[];

  constructor(files: readonly TrackFile[]) {
    this.#files = files;
  }

  get record(): RecordedTrack[] {
    return this.#files.map(({ path, sha256, points }) => ({ path, sha256, points }));
  }

  /** Paths as written. */
  get paths(): string[] {
    return this.#files.map(({ path }) => path);
  }

  /** Number of points of all files. */
  get points(): number {
    return pointsOf(this.#files);
  }

  /**
   * With the number of points of the tracks, unless the experiment limits them. Files of the command line replace the
   * points of the experiment file, and so their number.
   */
  completed(document: ExperimentDocument, chosen: ChosenFields): ExperimentDocument {
    const isLimited = field in chosen ? choosesPoints(chosen) : streamOf(document).points !== undefined;
    return isLimited ? document : withLevel(document, 'stream.points', this.points);
  }

  /**
   * The points of all files, in the order of their times.
   * @throws TopoBenchError `TB_FILE_NOT_FOUND`, or `TB_STREAM_ENGINE` for a file that has changed since it was checked
   */
  async read(): Promise<GpsPoints> {
    const { gpxPoints } = await import('@topo-bench/streams/gpx');
    return gpxPoints(unchanged(this.#files));
  }
}

/**
 * @throws TopoBenchError with a problem for each file that is missing or no GPX file; `TB_EXPERIMENT_STREAM` for too
 *   few points
 */
async function readTracks(
  paths: readonly string[],
  source: SourceDocument,
  experiment: SourceText,
  chosen: ChosenFields,
  admit: Admit | undefined,
): Promise<TrackFile[]> {
  const tracks: TrackFile[] = [];
  const problems: Problem[] = [];
  // One by one: a study can have thousands.
  for (const [index, path] of paths.entries()) {
    const file = resolve(dirname(experiment.file), path);
    const named =
      field in chosen ? { file: shownPath(file), line: 1, column: 1 } : source.locate(['stream', 'gpx', index]);
    try {
      await admit?.(file);
      tracks.push(await readTrack(path, file));
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      const { code, message, location = named } = error;
      problems.push({ ...location, code, message });
    }
  }
  if (problems.length > 0) throw problemsError(experiment.file, problems);
  if (pointsOf(tracks) >= minPoints) return tracks;
  const message = `points of the GPX files: got ${pointsOf(tracks)}, expected ${minPoints} or more`;
  const hint = 'name more files: a job of fewer points is over before it can be measured';
  throw problemsError(experiment.file, [
    { ...source.locate(['stream', 'gpx']), code: 'TB_EXPERIMENT_STREAM', message, hint },
  ]);
}

/** @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT` for a file that has changed, `TB_FILE_NOT_FOUND` */
function sameTracks(folder: string, experiment: SourceText, recorded: readonly RecordedTrack[]): TrackFile[] {
  const tracks: TrackFile[] = [];
  for (const { path, sha256, points } of recorded) {
    const file = resolve(dirname(experiment.file), path);
    const bytes = readBytes(file, 'resume in the folder that the run was started in');
    if (digestOf(bytes) !== sha256) {
      const message = `cannot continue ${folder}: ${shownPath(file)} has changed since the run began`;
      throw new TopoBenchError('TB_RUN_FOLDER_DIFFERENT_EXPERIMENT', message, {
        hint: 'bring the file back as it was, or start a new run',
      });
    }
    tracks.push({ path, file: shownPath(file), sha256, points });
  }
  return tracks;
}

/** The tracks of a cell; undefined for drawn points. */
export function tracksOf({ files }: Pick<ExperimentCell, 'files'>): RecordedTracks | undefined {
  return files instanceof RecordedTracks ? files : undefined;
}

/** One text in memory at a time. */
function* unchanged(tracks: readonly TrackFile[]): Generator<{ name: string; text: string }> {
  for (const { file, sha256 } of tracks) {
    const bytes = readBytes(file);
    if (digestOf(bytes) !== sha256) {
      throw new TopoBenchError('TB_STREAM_ENGINE', `${file} has changed since it was checked`, {
        hint: 'start the run again',
      });
    }
    yield { name: file, text: textOf(bytes, file) };
  }
}

function pointsOf(tracks: readonly RecordedTrack[]): number {
  return tracks.reduce((sum, { points }) => sum + points, 0);
}

function choosesPoints(chosen: ChosenFields): boolean {
  return Object.entries(chosen).some(
    ([name, value]) => factorPath(name) === 'stream.points' || (name === 'stream' && isMap(value) && 'points' in value),
  );
}

function pathsOf(document: unknown, chosen: ChosenFields): string[] | undefined {
  if (!isMap(document)) return undefined;
  const set = Object.fromEntries(Object.entries(chosen).filter(([name]) => name === 'stream' || name === field));
  const { gpx } = streamOf(withChoices(document, { set }).document);
  const isList = Array.isArray(gpx) && gpx.length > 0 && gpx.every((path) => typeof path === 'string' && path !== '');
  return isList ? (gpx as string[]) : undefined;
}

function streamOf({ stream }: ExperimentDocument): Record<string, unknown> {
  return isMap(stream) ? stream : {};
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readTrack(path: string, file: string): Promise<TrackFile> {
  const { gpxPoints } = await import('@topo-bench/streams/gpx');
  const shown = shownPath(file);
  const bytes = readBytes(file);
  const { count: points } = gpxPoints([{ name: shown, text: textOf(bytes, shown) }]);
  return { path, file: shown, sha256: digestOf(bytes), points };
}

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` */
function readBytes(file: string, hint?: string): Buffer {
  try {
    // A pipe would be waited for, and is empty when it is read again.
    const found = statSync(file);
    if (!found.isFile() && !found.isDirectory()) throw new Error('it is not a regular file');
    return readFileSync(file);
  } catch (cause) {
    const message = `cannot read ${shownPath(file)}: ${systemErrorText(cause)}`;
    throw new TopoBenchError('TB_FILE_NOT_FOUND', message, { cause, ...(hint !== undefined && { hint }) });
  }
}

function textOf(bytes: Buffer, file: string): string {
  if (bytes.length <= constants.MAX_STRING_LENGTH) return new TextDecoder(encodingOf(bytes)).decode(bytes);
  const message = `${file}: got ${bytes.length} bytes, expected ${constants.MAX_STRING_LENGTH} or fewer in one GPX file`;
  throw new TopoBenchError('TB_FILE_SYNTAX', message, { hint: 'split the tracks into several files' });
}

/** By the first bytes, as XML prescribes: a mark of their order, or `<` in two bytes. */
function encodingOf(bytes: Buffer): string {
  const first = bytes.toString('hex', 0, 2);
  if (first === 'fffe' || first === '3c00') return 'utf-16le';
  return first === 'feff' || first === '003c' ? 'utf-16be' : 'utf-8';
}

function digestOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * Recorded tracks of a stream experiment. Their files are read before a run, for the number of their points and for a
 * digest, by which a resumed run finds that one has changed.
 */
import { constants } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { factorPath, type Problem, systemErrorText, TopoBenchError } from '@topo-bench/core';
import { parseSource, type SourceText } from '@topo-bench/topology';
import type { RecordedTrack, TrackFile } from '@topo-bench/trial';
import type { GpsPoints } from '@topo-bench/workload';
import type { Choices } from './choices.ts';
import { type ExperimentDocument, withChoices, withLevel } from './experiment-document.ts';
import { shownPath } from './input-file.ts';
import { problemsError } from './problem-list.ts';

const field = 'stream.gpx';
/** The schema has it for `points` too. */
const minPoints = 1000;

/**
 * Reads the files that `stream.gpx` of the file or of the choices names.
 * @returns undefined without any, or where the field has no list of paths, which the check of the experiment reports
 * @throws TopoBenchError with a problem for each file that is missing or no GPX file; `TB_EXPERIMENT_STREAM` for too
 *   few points
 */
export async function readTracks(experiment: SourceText, choices: Choices): Promise<TrackFile[] | undefined> {
  const source = parseSource(experiment);
  const paths = pathsOf(source.value, choices);
  if (paths === undefined) return undefined;
  const tracks: TrackFile[] = [];
  const problems: Problem[] = [];
  // One by one: a study can have thousands.
  for (const [index, path] of paths.entries()) {
    const file = resolve(dirname(experiment.file), path);
    const named = isChosen(choices)
      ? { file: shownPath(file), line: 1, column: 1 }
      : source.locate(['stream', 'gpx', index]);
    try {
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

/**
 * The tracks of a recorded run, from the files as they are now.
 * @throws TopoBenchError `TB_RUN_FOLDER_DIFFERENT_EXPERIMENT` for a file that has changed, `TB_FILE_NOT_FOUND`
 */
export function sameTracks(folder: string, experiment: SourceText, recorded: readonly RecordedTrack[]): TrackFile[] {
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

/**
 * The points of all files, in the order of their times.
 * @throws TopoBenchError `TB_FILE_NOT_FOUND`, or `TB_STREAM_ENGINE` for a file that has changed since it was checked
 */
export async function pointsOfTracks(tracks: readonly TrackFile[]): Promise<GpsPoints> {
  const { gpxPoints } = await import('@topo-bench/workload/gpx');
  return gpxPoints(unchanged(tracks));
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

/**
 * The document with the number of points of its tracks, unless it limits them. Files of the command line replace the
 * points of the experiment file, and so their number.
 */
export function withPointsOfTracks(
  document: ExperimentDocument,
  { tracks, choices }: { tracks?: readonly TrackFile[]; choices: Choices },
): ExperimentDocument {
  if (!tracks) return document;
  const isLimited = isChosen(choices) ? choosesPoints(choices) : streamOf(document).points !== undefined;
  return isLimited ? document : withLevel(document, 'stream.points', pointsOf(tracks));
}

export function pointsOf(tracks: readonly RecordedTrack[]): number {
  return tracks.reduce((sum, { points }) => sum + points, 0);
}

function isChosen({ set = {} }: Choices): boolean {
  return field in set;
}

function choosesPoints({ set = {} }: Choices): boolean {
  return Object.entries(set).some(
    ([name, value]) => factorPath(name) === 'stream.points' || (name === 'stream' && isMap(value) && 'points' in value),
  );
}

function pathsOf(document: unknown, choices: Choices): string[] | undefined {
  if (!isMap(document)) return undefined;
  const { set = {} } = choices;
  const chosen = Object.fromEntries(Object.entries(set).filter(([name]) => name === 'stream' || name === field));
  const { gpx } = streamOf(withChoices(document, { set: chosen }).document);
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
  const { gpxPoints } = await import('@topo-bench/workload/gpx');
  const shown = shownPath(file);
  const bytes = readBytes(file);
  const { count: points } = gpxPoints([{ name: shown, text: textOf(bytes, shown) }]);
  return { path, file: shown, sha256: digestOf(bytes), points };
}

/** @throws TopoBenchError `TB_FILE_NOT_FOUND` */
function readBytes(file: string, hint?: string): Buffer {
  try {
    // A pipe would be waited for, and is empty when it is read again.
    if (!statSync(file).isFile()) throw new Error('it is not a regular file');
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

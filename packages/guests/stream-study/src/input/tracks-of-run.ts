/** The recorded tracks of a run: read once, and kept in a file for the processors of all repetitions. */
import { join } from 'node:path';
import { systemErrorText, TopoBenchError } from '@topo-bench/core';
import { pointsOfTracks } from '@topo-bench/experiment/tracks';
import { FileFolder } from '@topo-bench/study-kit/file-folder';
import type { GpsPoints } from '@topo-bench/workload';
import type { StreamTrial } from '../parts.ts';
import { writePoints } from './points-file.ts';

export interface PointsOfRun {
  all: GpsPoints;
  /** Written by `writePoints`. */
  file: string;
}

export class TracksOfRun {
  readonly #folder = new FileFolder();
  #points: Promise<PointsOfRun> | undefined;

  /**
   * Tracks are no factor: all cells have the same.
   * @returns undefined for drawn points
   * @throws TopoBenchError what `pointsOfTracks` throws, and `TB_FILE_NOT_WRITABLE`
   */
  async of({ tracks, settings }: StreamTrial): Promise<PointsOfRun | undefined> {
    if (!tracks || settings.stream?.job !== 'generate') return undefined;
    this.#points ??= this.#read(tracks);
    return this.#points;
  }

  async close(): Promise<void> {
    await this.#folder.remove();
  }

  async #read(tracks: NonNullable<StreamTrial['tracks']>): Promise<PointsOfRun> {
    const all = await pointsOfTracks(tracks);
    try {
      const file = join(await this.#folder.path(), 'points');
      await writePoints(file, all);
      return { all, file };
    } catch (cause) {
      const message = `cannot write the points of the tracks to a temporary file: ${systemErrorText(cause)}`;
      throw new TopoBenchError('TB_FILE_NOT_WRITABLE', message, {
        hint: 'name a folder with space in the variable TMPDIR',
        cause,
      });
    }
  }
}

const shownNames = 3;

/** The files of a cell in a few words: `a.gpx, b.gpx`. */
export function tracksText(tracks: NonNullable<StreamTrial['tracks']>): string {
  const names = tracks.slice(0, shownNames).map(({ path }) => path.replace(/^.*[/\\]/, ''));
  const more = tracks.length - names.length;
  return [...names, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** Recorded tracks in GPX files (topografix.com/GPX/1/1): the points of `trkpt` elements, a trip for each `trkseg`. */
import { TopoBenchError } from '@topo-bench/core';
import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { emptyPoints, type GpsPoints } from './cycling-trips.ts';

export interface GpxFile {
  /** Name in errors. */
  name: string;
  text: string;
}

interface TrackPoint {
  trip: number;
  timeMs: number;
  latitude: number;
  longitude: number;
}

/**
 * Reads the points of all files, in the order of their times.
 * @throws TopoBenchError `TB_FILE_SYNTAX` with file, line and column, for text that is not XML, and for a point without
 *   a position on Earth or without a time
 */
export function gpxPoints(files: readonly GpxFile[]): GpsPoints {
  const found: TrackPoint[] = [];
  let trips = 0;
  for (const file of files) trips = readFile(file, found, trips);
  found.sort((a, b) => a.timeMs - b.timeMs);
  const points = emptyPoints(found.length);
  found.forEach(({ trip, timeMs, latitude, longitude }, index) => {
    points.trips[index] = trip;
    points.timesMs[index] = timeMs;
    points.latitudes[index] = latitude;
    points.longitudes[index] = longitude;
  });
  return points;
}

/** @returns the number of trips after this file */
function readFile({ name, text }: GpxFile, found: TrackPoint[], firstTrip: number): number {
  const parser = new SaxesParser();
  const refuse = (message: string): never => {
    const location = { file: name, line: parser.line, column: parser.column + 1 };
    throw new TopoBenchError('TB_FILE_SYNTAX', message, { location });
  };
  let trips = firstTrip;
  let point: Omit<TrackPoint, 'timeMs'> | undefined;
  let time: string | undefined;
  let isTime = false;
  parser.on('error', ({ message }) => refuse(`not XML: ${message.replace(/^\d+:\d+: /, '')}`));
  parser.on('opentag', (tag) => {
    if (tag.name === 'trkseg') trips++;
    if (tag.name === 'trkpt') {
      if (trips === firstTrip) refuse('track point outside a `trkseg`');
      const position = { latitude: degrees(tag, 'lat', 90, refuse), longitude: degrees(tag, 'lon', 180, refuse) };
      point = { trip: trips - 1, ...position };
      time = undefined;
    }
    isTime = tag.name === 'time' && point !== undefined;
  });
  parser.on('text', (content) => {
    if (isTime) time = (time ?? '') + content;
  });
  parser.on('closetag', (tag) => {
    isTime = false;
    if (tag.name !== 'trkpt' || !point) return;
    const timeMs = Date.parse(time ?? '');
    if (Number.isNaN(timeMs))
      refuse(`time of a track point: got ${time ?? 'none'}, expected e.g. 2022-06-01T08:00:00Z`);
    found.push({ ...point, timeMs });
    point = undefined;
  });
  parser.write(text).close();
  return trips;
}

function degrees(
  { attributes }: SaxesTagPlain,
  name: 'lat' | 'lon',
  limit: number,
  refuse: (message: string) => never,
): number {
  const text = attributes[name];
  const value = Number(text);
  if (text !== undefined && text.trim() !== '' && Math.abs(value) <= limit) return value;
  return refuse(`${name} of a track point: got ${text ?? 'none'}, expected degrees from -${limit} to ${limit}`);
}

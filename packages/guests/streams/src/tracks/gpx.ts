/** Recorded tracks in GPX files (topografix.com/GPX/1/1): the points of `trkpt` elements, a trip for each `trkseg`. */
import { daysOfText, TopoBenchError } from '@topo-bench/core';
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
 * @throws TopoBenchError `TB_FILE_SYNTAX` with file, line and column, for text that is not GPX or has no track point,
 *   and for a point without a position on Earth or without a time from 1970 on
 */
export function gpxPoints(files: Iterable<GpxFile>): GpsPoints {
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
  let isRoot = true;
  let point: Omit<TrackPoint, 'timeMs'> | undefined;
  let time: string | undefined;
  let isTime = false;
  /** Open elements inside of the point: extensions can have times of their own. */
  let depth = 0;
  parser.on('error', ({ message }) => refuse(`not XML: ${message.replace(/^\d+:\d+: /, '')}`));
  parser.on('opentag', (tag) => {
    const name = localName(tag);
    if (isRoot && name !== 'gpx') refuse(`not GPX: got the root element \`${tag.name}\`, expected \`gpx\``);
    isRoot = false;
    if (name === 'trkseg') trips++;
    if (name === 'trkpt') {
      if (trips === firstTrip) refuse('track point outside a `trkseg`');
      const position = { latitude: degrees(tag, 'lat', 90, refuse), longitude: degrees(tag, 'lon', 180, refuse) };
      point = { trip: trips - 1, ...position };
      time = undefined;
      depth = 0;
    } else depth++;
    isTime = name === 'time' && depth === 1 && point !== undefined;
  });
  const addText = (content: string): void => {
    if (isTime) time = (time ?? '') + content;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', (tag) => {
    isTime = false;
    depth--;
    if (localName(tag) !== 'trkpt' || !point) return;
    const timeMs = timeOf(time ?? '');
    if (!(timeMs >= 0)) {
      refuse(`time of a track point: got ${time ?? 'none'}, expected e.g. 2022-06-01T08:00:00Z, from 1970 on`);
    }
    found.push({ ...point, timeMs });
    point = undefined;
  });
  const before = found.length;
  parser.write(text).close();
  if (found.length === before) refuse('got no track point, expected `trkpt` elements in a `trkseg`');
  return trips;
}

/** Without the prefix of a namespace. */
function localName({ name }: SaxesTagPlain): string {
  return name.slice(name.indexOf(':') + 1);
}

/**
 * A date and time of XML Schema. Without a zone it is UTC, on every machine.
 * @returns NaN for other texts, and for days that do not exist: `Date` takes February 30 for March 2
 */
function timeOf(text: string): number {
  const [, date, time, zone = 'Z'] =
    /^\s*(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?)(Z|[+-]\d\d:\d\d)?\s*$/.exec(text) ?? [];
  return date === undefined || daysOfText(date) === undefined ? Number.NaN : Date.parse(`${date}${time}${zone}`);
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

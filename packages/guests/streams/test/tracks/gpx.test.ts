import { describe, expect, it } from 'vitest';
import { gpxPoints } from '../../src/tracks/gpx.ts';

const header = '<?xml version="1.0" encoding="UTF-8"?>\n<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1">';
const gpx = (body: string) => `${header}<metadata><time>2001-01-01T00:00:00Z</time></metadata>${body}</gpx>`;
const point = (lat: string, lon: string, time = '<time>2022-06-01T08:00:00Z</time>') =>
  `<trkpt lat="${lat}" lon="${lon}"><ele>113.5</ele>${time}<extensions><hr>120</hr><time>1999-01-01T00:00:00Z</time></extensions></trkpt>`;

describe('GPX files', () => {
  it('may have their times in CDATA, or with a comment in them', () => {
    const times = ['<![CDATA[2022-06-01T08:00:00Z]]>', '2022-06-<!-- June -->01T<![CDATA[08:00:00]]>Z'];
    const points = times.map((time) => point('51', '13', `<time>${time}</time>`)).join('');
    const { timesMs } = gpxPoints([{ name: 'a.gpx', text: gpx(`<trk><trkseg>${points}</trkseg></trk>`) }]);
    expect([...timesMs]).toEqual(Array(2).fill(Date.UTC(2022, 5, 1, 8)));
  });

  it('give the points of all segments and files, in the order of their times', () => {
    const first = gpx(
      `<trk><name>A &amp; B</name><trkseg>${point('51.05', '13.74', '<time>2022-06-01T08:00:01.500Z</time>')}` +
        `${point('51.06', '13.75', '<time>2022-06-01T10:00:03+02:00</time>')}</trkseg>` +
        `<trkseg>${point('-12.5', '-170')}</trkseg></trk>`,
    );
    const second = gpx(`<trk><trkseg>${point('90', '180', '<time>2022-06-01T08:00:02Z</time>')}</trkseg></trk>`);
    const start = Date.UTC(2022, 5, 1, 8);
    expect(
      gpxPoints([
        { name: 'a.gpx', text: first },
        { name: 'b.gpx', text: second },
      ]),
    ).toEqual({
      count: 4,
      trips: Uint32Array.from([1, 0, 2, 0]),
      timesMs: Float64Array.from([start, start + 1500, start + 2000, start + 3000]),
      latitudes: Float64Array.from([-12.5, 51.05, 90, 51.06]),
      longitudes: Float64Array.from([-170, 13.74, 180, 13.75]),
    });
  });

  it.each([
    [
      gpx(`<trk><trkseg>${point('91', '13')}</trkseg></trk>`),
      'lat of a track point: got 91, expected degrees from -90',
    ],
    [gpx(`<trk><trkseg>${point('1', '')}</trkseg></trk>`), 'lon of a track point: got , expected degrees from -180'],
    [gpx('<trk><trkseg><trkpt lat="1"/></trkseg></trk>'), 'lon of a track point: got none'],
    [gpx(`<trk><trkseg>${point('1', '2', '')}</trkseg></trk>`), 'time of a track point: got none, expected e.g.'],
    [gpx(`<trk><trkseg>${point('1', '2', '<time>noon</time>')}</trkseg></trk>`), 'time of a track point: got noon'],
    [gpx('<trk><trkseg></trk>'), 'not XML: unexpected close tag'],
    [gpx(point('1', '2')), 'track point outside a `trkseg`'],
    [
      gpx(`<trk><trkseg>${point('1', '2', '<time>1969-12-31T23:59:59Z</time>')}</trkseg></trk>`),
      'time of a track point: got 1969-12-31T23:59:59Z, expected',
    ],
    [gpx(`<trk><trkseg>${point('1', '2', '<time>1 June 2022</time>')}</trkseg></trk>`), 'got 1 June 2022, expected'],
    [gpx(`<trk><trkseg>${point('1', '2', '<time>2022-02-30T08:00:00Z</time>')}</trkseg></trk>`), 'got 2022-02-30T08'],
    [gpx('<trk><trkseg/></trk>'), 'got no track point, expected `trkpt` elements'],
    ['<kml><Placemark/></kml>', 'not GPX: got the root element `kml`, expected `gpx`'],
    ['', 'not XML: document must contain a root element'],
  ])('%# are rejected with the place: %s', (text, message) => {
    const read = () => gpxPoints([{ name: 'ride.gpx', text }]);
    expect(read).toThrow(
      expect.objectContaining({ code: 'TB_FILE_SYNTAX', message: expect.stringContaining(message) }),
    );
    expect(read).toThrow(expect.objectContaining({ location: expect.objectContaining({ file: 'ride.gpx' }) }));
  });

  it('have times in UTC unless they name a zone, and may have a prefix', () => {
    const prefixed = `<g:gpx xmlns:g="http://www.topografix.com/GPX/1/1"><g:trk><g:trkseg><g:trkpt lat="1" lon="2">
      <g:time>
        2022-06-01T08:00:00
      </g:time></g:trkpt></g:trkseg></g:trk></g:gpx>`;
    const { timesMs } = gpxPoints([{ name: 'a.gpx', text: prefixed }]);
    expect([...timesMs]).toEqual([Date.UTC(2022, 5, 1, 8)]);
  });

  it('names line and column of a fault', () => {
    const text = `${header}\n<trk>\n  <trkseg>\n    <trkpt lat="x" lon="1"></trkpt></trkseg></trk></gpx>`;
    expect(() => gpxPoints([{ name: 'ride.gpx', text }])).toThrow(
      expect.objectContaining({ location: { file: 'ride.gpx', line: 5, column: expect.any(Number) } }),
    );
  });
});

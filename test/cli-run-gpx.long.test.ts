/** Stream studies on recorded tracks, with heat maps that this file computes from the text of the tracks itself. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServer } from '@topo-bench/stores/servers/start-server';
import type { StoreServer } from '@topo-bench/stores/servers/store-server';
import type { AnyEntry } from '@topo-bench/studies';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from './fixtures/small-files.ts';
import { startTopoBench, topoBench } from './fixtures/topo-bench.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

interface Point {
  timeMs: number;
  latitude: string;
  longitude: string;
}

/** A ride in the mountains of Peru, far from the drawn trips: 4000 points at 2 Hz. */
function ride(startMs: number, shift: number): Point[] {
  return Array.from({ length: 4000 }, (_, at) => ({
    timeMs: startMs + at * 500,
    latitude: (-13.5 + shift + Math.sin(at / 300) / 50).toFixed(6),
    longitude: (-71.97 + Math.cos(at / 170) / 40).toFixed(6),
  }));
}

const startMs = Date.UTC(2024, 1, 29, 13);
// The second ride begins in the middle of the first one.
const rides = [ride(startMs, 0), ride(startMs + 1_000_250, 0.01)] as const;

function gpxOf(points: readonly Point[]): string {
  const text = points.map(
    ({ timeMs, latitude, longitude }) =>
      `<trkpt lat="${latitude}" lon="${longitude}"><ele>3399</ele><time>${new Date(timeMs).toISOString()}</time></trkpt>`,
  );
  return `<?xml version="1.0"?>
<gpx version="1.1" creator="a watch" xmlns="http://www.topografix.com/GPX/1/1">
<metadata><time>2024-03-01T00:00:00Z</time></metadata>
<trk><name>Ride</name><trkseg>
${text.join('\n')}
</trkseg></trk></gpx>
`;
}

/** The bits of longitude and latitude in turns, as geohash.org describes them, in text. */
function geohash(latitude: number, longitude: number): string {
  const bits = (value: number, range: number): string =>
    Math.floor(((value + range / 2) / range) * 2 ** 20)
      .toString(2)
      .padStart(20, '0');
  const [east, north] = [bits(longitude, 360), bits(latitude, 180)];
  return BigInt(`0b${[...east].map((bit, at) => `${bit}${north[at]}`).join('')}`).toString();
}

/** Lines `cell crossings time` of the heat map of the first points in the order of their times. */
function expectedLines(points: readonly Point[], count: number): string[] {
  const first = [...points].sort((a, b) => a.timeMs - b.timeMs).slice(0, count);
  const times: Record<string, number[]> = {};
  for (const { latitude, longitude, timeMs } of first) {
    const cell = geohash(Number(latitude), Number(longitude));
    times[cell] = [...(times[cell] ?? []), timeMs];
  }
  return Object.entries(times)
    .map(([cell, own]) => `${cell} ${own.length} ${Math.max(...own)}`)
    .sort();
}

const folder = temporaryFolder();
const file = join(folder, 'experiment.yaml');
const writeExperiment = (lines: string): void =>
  writeFileSync(
    file,
    `apiVersion: topo-bench/v1\nkind: Experiment\nname: recorded\n${lines}\nrepetitions: 1\nvalidity: { remeasure: 0% }\n`,
  );
const run = (...args: string[]) => topoBench(['run', ...args], { cwd: folder });

beforeAll(() => {
  mkdirSync(join(folder, 'tracks'));
  rides.forEach((points, at) => {
    writeFileSync(join(folder, 'tracks', `${'ab'[at]}.gpx`), gpxOf(points));
  });
});

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

describe('run, over a stream job on recorded tracks', () => {
  let server: StoreServer;
  let admin: pg.Client;
  beforeAll(async () => {
    server = await startServer({ engine: 'postgresql' });
    admin = new pg.Client({ connectionString: server.url });
    await admin.connect();
  });
  afterAll(async () => {
    await admin?.end();
    await server?.stop();
  });
  const heatMaps = async (): Promise<string[]> => {
    const { rows } = await admin.query<{ datname: string }>(
      "SELECT datname FROM pg_database WHERE datname LIKE 'topo_bench_heat_map_stream_%' ORDER BY datname",
    );
    return rows.map(({ datname }) => datname);
  };
  /** A template cannot be dropped: heat maps stay, to be read after the run. */
  const keepAllUntil = async (ended: Promise<unknown>): Promise<void> => {
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    for (; !isOver; await sleep(5)) {
      await admin.query(
        "UPDATE pg_database SET datistemplate = true WHERE datname LIKE 'topo_bench_heat_map_stream_%' AND NOT datistemplate",
      );
    }
  };
  const linesOf = async (name: string): Promise<string[]> => {
    const connectionString = Object.assign(new URL(server.url), { pathname: `/${name}` }).href;
    const client = new pg.Client({ connectionString });
    await client.connect();
    try {
      const { rows } = await client.query('SELECT cell, crossings, event_time_ms FROM heat_map');
      return rows.map(({ cell, crossings, event_time_ms: time }) => `${cell} ${crossings} ${time}`).sort();
    } finally {
      await client.end();
    }
  };

  it('fills every heat map from the points of the files, and notices a changed file', async () => {
    const settings = 'rate: 20000, latencyFor: 100ms, trialFor: 100ms, trials: 1, killAfter: 150ms';
    writeExperiment(`stream: { gpx: [tracks/a.gpx, tracks/b.gpx], points: 7000, ${settings} }`);
    const elsewhere = temporaryFolder();
    const env = { TOPO_BENCH_POSTGRES_URL: server.url, TMPDIR: elsewhere };
    const running = startTopoBench(['run', file, '--out', 'run', '--json'], { cwd: folder, env });
    await keepAllUntil(running.ended);
    const { code, stdout, stderr } = await running.ended;
    expect(code, stderr).toBe(0);
    const [cell] = JSON.parse(stdout).cells as [AnyEntry];
    const { fullSpeed, trials, paced } = cell.stream as NonNullable<AnyEntry['stream']>;
    expect(cell.factors.points).toBe(7000);
    expect(cell.validity.reasons).toEqual([]);
    expect(fullSpeed.points).toBe(7000);
    // In the order of their creation: the warm-up takes all points that there are, the killed job those of 300 ms.
    const counts = [7000, fullSpeed.points, ...trials.map(({ points }) => points), paced.points, 6000];
    const names = await heatMaps();
    expect(names).toHaveLength(counts.length);
    for (const [at, name] of names.entries()) {
      const lines = expectedLines(rides.flat(), counts[at] as number);
      expect(await linesOf(name), `${name} of ${counts[at]} points`).toEqual(lines);
      await admin.query(`ALTER DATABASE ${name} IS_TEMPLATE false`);
      await admin.query(`DROP DATABASE ${name}`);
    }
    expect(cell.stream?.recovery).toMatchObject({ wrong: 0, lost: 0, duplicated: 0 });
    expect(readdirSync(elsewhere).filter((name) => name.startsWith('topo-bench'))).toEqual([]);

    const record = JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8'));
    expect(record.experiment.stream.gpx).toEqual(['tracks/a.gpx', 'tracks/b.gpx']);
    expect(record.tracks).toEqual(
      ['tracks/a.gpx', 'tracks/b.gpx'].map((path) => ({ path, sha256: sha256(join(folder, path)), points: 4000 })),
    );
    const report = await topoBench(['report', 'run', '--format', 'md'], { cwd: folder });
    expect(report.stdout).toContain('recorded tracks: 7,000 of a.gpx, b.gpx');

    const track = join(folder, 'tracks', 'b.gpx');
    const text = readFileSync(track, 'utf8');
    writeFileSync(track, text.replace('<name>Ride</name>', '<name>Trip</name>'));
    const more = ['--resume', 'run', '--repetitions', '2'];
    const changed = await run(...more);
    expect(changed.code).toBe(2);
    expect(changed.stderr).toContain('cannot continue run: tracks/b.gpx has changed since the run began');
    expect(changed.stderr).toContain('hint: bring the file back as it was, or start a new run');
    writeFileSync(track, text);
    const resumed = await topoBench(['run', ...more, '--json'], { cwd: folder, env });
    expect(resumed.code, resumed.stderr).toBe(0);
    expect((JSON.parse(resumed.stdout).cells as AnyEntry[]).map(({ decisions }) => decisions.wrong)).toEqual([0, 0]);
  });

  it('takes files of the command line, and resumes with them in another folder', async () => {
    writeExperiment(
      'stream: { points: 90000, rate: 20000, latencyFor: 100ms, trials: 0 }\nfactors: { points: [2000] }',
    );
    const args = [file, '--gpx', 'tracks/b.gpx', '--out', 'flag', '--json'];
    const env = { TOPO_BENCH_POSTGRES_URL: server.url };
    const first = await topoBench(['run', ...args], { cwd: folder, env });
    expect(first.code, first.stderr).toBe(0);
    const cells = JSON.parse(first.stdout).cells as AnyEntry[];
    expect(cells.map(({ factors, stream }) => [factors.points, stream?.options.gpx])).toEqual([[4000, 'b.gpx']]);
    expect(cells[0]?.stream?.checked).toMatchObject({ wrong: 0, lost: 0, duplicated: 0, late: 0 });
    const refused = await run('--resume', 'flag', '--gpx', 'tracks/a.gpx');
    expect(refused.stderr).toContain('--resume cannot change the run: got --gpx');
    expect(refused.code).toBe(2);
    const more = ['run', '--resume', join(folder, 'flag'), '--repetitions', '2'];
    const resumed = await topoBench(more, { cwd: join(folder, 'tracks'), env });
    expect(resumed.code, resumed.stderr).toBe(0);
  });
});

describe('the points of recorded tracks', () => {
  const pointsOf = async (...args: string[]): Promise<unknown[]> => {
    const { code, stdout, stderr } = await run(...args, '--dry-run', '--json');
    expect(code, stderr).toBe(0);
    return [...new Set((JSON.parse(stdout).cells as AnyEntry[]).map(({ factors }) => factors.points))];
  };

  it('are all of them, unless `points` limits them', async () => {
    writeExperiment('stream: { gpx: [tracks/a.gpx, tracks/b.gpx] }');
    expect(await pointsOf(file)).toEqual([8000]);
    writeExperiment('stream: { gpx: [tracks/a.gpx], points: 3000 }');
    expect(await pointsOf(file)).toEqual([3000]);
    writeExperiment('stream: { gpx: [tracks/a.gpx] }\nfactors: { points: [1000, 4000] }');
    expect(await pointsOf(file)).toEqual([1000, 4000]);
  });

  it('of the command line replace those of the file, with their number', async () => {
    const both = ['--gpx', 'tracks/a.gpx', 'tracks/b.gpx'];
    expect(await pointsOf('stream-small', ...both)).toEqual([8000]);
    expect(await pointsOf('stream-small', '--set', 'points=2500', ...both)).toEqual([2500]);
    const set = `stream.gpx=${JSON.stringify([join(folder, 'tracks', 'a.gpx')])}`;
    expect(await pointsOf('stream-small', '--set', set, '--set', 'points=1500')).toEqual([1500]);
  });
});

describe('bad tracks end with exit code 2 and their place, before anything is measured', () => {
  beforeAll(() => {
    const [points] = rides;
    const write = (name: string, text: string): void => writeFileSync(join(folder, 'tracks', name), text);
    write('map.gpx', '<?xml version="1.0"?>\n<kml><Document/></kml>\n');
    const lines = gpxOf(points).split('\n');
    lines[5] = '<trkpt lat="1" lon="2"><ele>7</ele></trkpt>';
    write('timeless.gpx', lines.join('\n'));
    write('cut.gpx', gpxOf(points).slice(0, 5000));
    write('short.gpx', gpxOf(points.slice(0, 50)));
  });

  it.each([
    [
      '{ gpx: [tracks/a.gpx, no.gpx] }',
      'experiment.yaml:4:31',
      'TB_FILE_NOT_FOUND: cannot read no.gpx: there is no such',
    ],
    ['{ gpx: [tracks] }', 'experiment.yaml:4:17', 'TB_FILE_NOT_FOUND: cannot read tracks: it is a folder'],
    ['{ gpx: [tracks/map.gpx] }', 'tracks/map.gpx:2:', 'TB_FILE_SYNTAX: not GPX: got the root element `kml`'],
    ['{ gpx: [tracks/timeless.gpx] }', 'tracks/timeless.gpx:6:', 'TB_FILE_SYNTAX: time of a track point: got none'],
    ['{ gpx: [tracks/cut.gpx] }', 'tracks/cut.gpx:', 'TB_FILE_SYNTAX: not XML'],
    ['{ gpx: [tracks/short.gpx] }', 'experiment.yaml:4:', 'points of the GPX files: got 50, expected 1000 or more'],
    [
      '{ gpx: [tracks/a.gpx], points: 5000 }',
      'experiment.yaml:4:42',
      'points: got 5000, expected 4000 or fewer, as the GPX files have',
    ],
    ['{ gpx: [tracks/a.gpx, tracks/a.gpx] }', 'experiment.yaml:4:', 'expected each file once'],
    ['{ gpx: [tracks/a.gpx], job: copy }', 'experiment.yaml:4:', '`gpx` has points of `generate`, and no cell has'],
  ])('%s', async (stream, place, message) => {
    writeExperiment(`stream: ${stream}`);
    const { code, stderr } = await run(file, '--out', 'bad');
    const line = stderr.split('\n').find((one) => one.includes(place)) ?? stderr;
    expect(line).toContain(message);
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'bad'))).toBe(false);
  });

  it('all at once, also in validate', async () => {
    writeExperiment('stream: { gpx: [tracks/map.gpx, tracks/timeless.gpx, no.gpx] }');
    const { code, stdout } = await topoBench(['validate', 'experiment.yaml', '--json'], { cwd: folder });
    expect(code).toBe(2);
    const places = [...stdout.matchAll(/"file": ?"([^"]+)",\s*"line": ?(\d+)/g)].map(
      ([, name, line]) => `${name}:${line}`,
    );
    expect(places).toEqual(['tracks/map.gpx:2', 'tracks/timeless.gpx:6', 'experiment.yaml:4']);
  });

  it.each([
    [['stream-small', '--gpx', 'no.gpx'], 'no.gpx:1:1: error TB_FILE_NOT_FOUND: cannot read no.gpx'],
    [['quickstart', '--gpx', 'tracks/a.gpx'], '--gpx needs an experiment with `stream`: got '],
    [['--gpx', 'tracks/a.gpx', 'stream-small'], 'run needs an experiment: got none\nhint: name it before --gpx'],
    [['stream-small', '--set', 'stream.gpx=["a.gpx"]', '--gpx', 'tracks/a.gpx'], 'got --set stream.gpx=… as well'],
    [['stream-small', '--set', 'points=5000', '--gpx', 'tracks/a.gpx'], 'points: got 5000, expected 4000 or fewer'],
  ])('of the command line: %j', async (args, message) => {
    const { code, stderr } = await run(...args);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });
});

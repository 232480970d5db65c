import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { requireNoIgnored } from '../src/ignored-options.ts';
import { commandOf } from '../src/verb-command.ts';
import { type Verb, verbs } from '../src/verbs.ts';

/** @returns the message of the refusal; undefined where every option has an effect */
async function refusalOf(verb: string, args: readonly string[]): Promise<string | undefined> {
  const command = await commandOf(verbs.find(({ name }) => name === verb) as Verb, new Command());
  command.parseOptions([...args]);
  try {
    requireNoIgnored(verb, command);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** One use of each option of `load`, with those that it needs to have an effect. */
const uses: Readonly<Record<string, string[]>> = {
  rate: ['--rate', '50'],
  ramp: ['--rate', '50..100'],
  duration: ['--duration', '1s'],
  drain: ['--drain', '1s'],
  arrivals: ['--arrivals', 'poisson'],
  seed: ['--arrivals', 'poisson', '--seed', '3'],
  findMax: ['--find-max', 'p95<1s'],
  driver: ['--driver', 'autocannon'],
  connections: ['--driver', 'autocannon', '--connections', '3'],
  method: ['--method', 'PUT'],
  header: ['--header', 'a: b'],
  body: ['--body', 'a'],
  bodyFile: ['--body-file', 'a'],
  ca: ['--ca', 'a.pem'],
  insecure: ['--insecure'],
  threshold: ['--threshold', 'rtt.p95 < 1s'],
  html: ['--html', 'a.html'],
  quiet: ['--quiet'],
  processes: ['--processes', '2'],
  keepAwake: ['--no-keep-awake'],
  json: ['--json'],
};

/** Pairs of which one option has no effect. All others work. */
const refusedPairs = [
  ...['rate', 'ramp', 'arrivals', 'seed', 'findMax'].flatMap((scheduled) => [
    `${scheduled}+driver`,
    `${scheduled}+connections`,
  ]),
  'ramp+findMax',
  'body+bodyFile',
  'ca+insecure',
];

describe('two options of load', () => {
  const names = Object.keys(uses);

  it('are all in the table', async () => {
    const { options } = await commandOf(verbs.find(({ name }) => name === 'load') as Verb, new Command());
    expect(new Set([...options.map((option) => option.attributeName()), 'ramp'])).toEqual(new Set(names));
  });

  it('have an effect both, or are refused', async () => {
    const refused: string[] = [];
    for (const [i, a] of names.entries()) {
      for (const b of names.slice(i + 1)) {
        const [first = [], second = []] = [uses[a], uses[b]];
        // A ramp is a rate.
        if (first[0] === second[0] && a === 'rate') continue;
        if (await refusalOf('load', [...first, ...second])) refused.push(`${a}+${b}`);
      }
    }
    expect(refused.sort()).toEqual(refusedPairs.sort());
  });
});

it.each([
  ['load', '--driver autocannon --rate 50', '--rate with --driver autocannon: a closed model has no schedule'],
  ['load', '--connections 5', '--connections with --driver open'],
  ['load', '--seed 5', '--seed with --arrivals constant'],
  ['load', '--driver autocannon --processes 11', '--processes with --connections'],
  ['run', '--no-probe', '--no-probe with a run that measures: only --dry-run probes'],
  ['gate', '--candidate runs/a --runner docker', '--runner with run folders: only --experiment measures'],
  ['gate', '--candidate runs/a --max-time 1m', '--max-time with run folders'],
  ['up', '--image mine', '--image with --runner local'],
  ['generate', '--target compose --base-image mine', '--base-image with files alone: only --build builds an image'],
  ['generate', '--target local --image mine', '--image with --target local'],
  ['report', '--rows repetitions', '--rows with another format: only --format csv and parquet have rows'],
  ['report', '--json --published a.csv', '--published with --format json'],
  ['report', '--json --format csv', '--format with --json: got two formats'],
  ['report', '--summary --format md', '--format with --summary: the summary is one page'],
  ['confirm', '--premises-only --max-time 1m', '--max-time with --premises-only: nothing is measured'],
  ['confirm', '--run runs/a --out runs/b', '--out with --run: the thresholds are judged on that run'],
  ['confirm', '--foreign-calibration', '--foreign-calibration with a measurement: only --calibration simulates'],
  ['simulate', '--sensitivity --out runs/a', '--out with --sensitivity'],
  ['simulate', '--break-even rate=20..40 --published', '--published with --break-even'],
  ['simulate', '--max-time 1m', '--max-time with a simulation without --find-max'],
  ['calibrate', '--resume runs/a --quick', '--quick with --resume: the folder has the design'],
  ['report', '--format csv --price-per-core-hour 1', '--price-per-core-hour with a form without costs'],
])('%s refuses %s', async (verb, args, message) => {
  expect(await refusalOf(verb, args.split(' '))).toContain(message);
});

it.each([
  ['load', '--driver autocannon --connections 5 --processes 5'],
  ['load', '--arrivals poisson --seed 5'],
  ['run', '--dry-run --no-probe'],
  ['run', '--image mine'],
  ['gate', '--experiment a.yaml --runner docker --context far --max-time 1m'],
  ['gate', '--candidate runs/a'],
  ['gate', '--self-test --baseline runs/a --candidate runs/b --max-time 1m'],
  ['run', '--runner local --base-image mine'],
  ['up', '--runner docker --image mine'],
  ['generate', '--target compose --build --base-image mine --context far'],
  ['report', '--format csv --rows repetitions'],
  ['report', '--format parquet --rows requests --out a.parquet'],
  ['report', '--summary --price-per-core-hour 1EUR'],
  ['report', '--json'],
  ['confirm', '--calibration a.json --foreign-calibration --max-time 1m --out runs/a'],
  ['simulate', '--find-max p95<50ms --max-time 1m --out runs/a'],
  ['simulate', '--sensitivity --repetitions 8 --calibration a.json'],
  ['calibrate', '--resume runs/a --out a.json'],
])('%s accepts %s', async (verb, args) => {
  expect(await refusalOf(verb, args.split(' '))).toBeUndefined();
});

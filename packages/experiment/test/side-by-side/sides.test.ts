import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { studies } from '@topo-bench/studies';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ref, readRef } from '../../src/side-by-side/ref.ts';
import { resolveSides, type SideChoice } from '../../src/side-by-side/sides.ts';

const header = 'apiVersion: topo-bench/v1\n';
const experiment = `${header}kind: Experiment\nname: perf\ntopology: shop.yaml\nfactors: { architecture: [none, sidecar] }\n`;
const shop = (services: string, more = ''): string =>
  `${header}kind: Topology\nname: shop\nservices: [${services}]\n${more}`;
const own = '{ name: pricing, command: "node server.js", cwd: pricing }';
const keeper = '{ name: orders, persistence: { store: sql-indexed } }';

let folder: string;
let here: string;
const at = (...path: string[]): string => join(folder, ...path);
const write = (path: string, text: string): void => {
  mkdirSync(join(at(path), '..'), { recursive: true });
  writeFileSync(at(path), text);
};

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'topo-bench-sides-')));
  here = process.cwd();
  write('work/perf/perf.yaml', experiment);
  write('work/perf/shop.yaml', shop(own));
  write('base/perf/perf.yaml', experiment.replace('shop.yaml', '../old/shop.yaml'));
  write('base/old/shop.yaml', shop(own));
  write('flat/perf.yaml', experiment);
  write('topology-only/shop.yaml', shop('{ generate: 2 }'));
  write('build/pricing/server.js', '');
  write('nameless/perf.yaml', experiment.replace('topology: shop.yaml\n', ''));
  for (const [name, text] of Object.entries({
    plain: shop('{ generate: 1 }'),
    two: shop(`${own}, { name: billing, command: "node billing.js" }`),
    asked: shop('{ generate: 1 }', 'requests: { classes: [{ name: order, origin: us }] }\n'),
    fixed: shop('{ name: pricing, command: "node server.js", port: 7070 }'),
    keeping: shop(keeper),
  })) {
    write(`work/perf/${name}.yaml`, text);
  }
  process.chdir(at('work'));
});
afterAll(() => {
  process.chdir(here);
  rmSync(folder, { recursive: true, force: true });
});

const read = (text: string): Promise<Ref> =>
  readRef(text, { experiment: at('work/perf/perf.yaml'), topology: at('work/perf/shop.yaml') });

const told = (error: unknown): string => {
  const { message, hint } = error as { message: string; hint: string };
  return `${message} ${hint}`;
};

describe('a ref', () => {
  it.each([
    ['../base', { kind: 'topology', path: 'base/old/shop.yaml' }],
    ['../flat', { kind: 'topology', path: 'flat/shop.yaml' }],
    ['../topology-only', { kind: 'topology', path: 'topology-only/shop.yaml' }],
    ['.', { kind: 'topology', path: 'work/perf/shop.yaml' }],
    ['../build', { kind: 'directory', path: 'build' }],
    ['perf/two.yaml', { kind: 'topology', path: 'work/perf/two.yaml' }],
  ])('%s is resolved to its files', async (text, expected) => {
    expect(await read(text)).toEqual({ ...expected, path: at(expected.path) });
  });

  it.each(['node server.js --fast', 'node', './perf/run server'])('%j is a command', async (command) => {
    expect(await read(command)).toEqual({ kind: 'command', command });
  });

  it.each([
    ['origin/main', 'git worktree add ../base REVISION'],
    ['../nowhere', 'neither a directory nor a file nor a program'],
    [' ', 'a ref is empty'],
    ['../nameless', 'names no topology'],
  ])('%j is refused', async (text, words) => {
    const error: unknown = await read(text).catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code: 'TB_GATE_REF' });
    expect(told(error)).toContain(words);
  });
});

describe('two sides', () => {
  const asItStands: SideChoice = { set: {} };
  const ref = (one: Ref): SideChoice => ({ ref: one, set: {} });
  const topology = (name: string): SideChoice => ref({ kind: 'topology', path: at('work/perf', `${name}.yaml`) });
  const resolve = (baseline: SideChoice, candidate: SideChoice, set: Record<string, unknown> = {}) =>
    resolveSides(at('work/perf/perf.yaml'), { set }, { baseline, candidate }, studies);
  const commandOf = ({ cells }: Awaited<ReturnType<typeof resolve>>['baseline']) =>
    cells.map(({ graph }) => graph.services.find(({ user }) => user)?.user);

  it('start the commands of the topology in the directory, or the given command', async () => {
    const { baseline, candidate } = await resolve(
      ref({ kind: 'directory', path: at('build') }),
      ref({ kind: 'command', command: 'node new.js' }),
    );
    expect(commandOf(baseline)).toMatchObject(
      Array(2).fill({ command: 'node server.js', baseDir: at('build'), cwd: 'pricing' }),
    );
    expect(commandOf(candidate)).toMatchObject(Array(2).fill({ command: 'node new.js', cwd: 'pricing' }));
    expect(baseline.cells.map(({ levels }) => levels)).toEqual(candidate.cells.map(({ levels }) => levels));
  });

  it('with other topologies start the commands in their directories', async () => {
    const { baseline } = await resolve(ref({ kind: 'topology', path: at('base/old/shop.yaml') }), asItStands);
    expect(commandOf(baseline)[0]).toMatchObject({ baseDir: expect.stringMatching(/base\/old$/) });
  });

  it('are identified by their difference, not by levels', async () => {
    const candidate: SideChoice = { set: { services: 3, 'enforcement.style': 'nested' } };
    const sides = await resolve(topology('plain'), { ...topology('plain'), ...candidate });
    const levels = [
      { architecture: 'none', rate: 100 },
      { architecture: 'sidecar', rate: 100 },
    ];
    expect(sides.candidate.cells.map((cell) => cell.levels)).toEqual(levels);
    expect(sides.baseline.cells.map((cell) => cell.levels)).toEqual(levels);
    expect(sides.candidate.cells[0]?.graph).toMatchObject({
      services: { length: 3 },
      enforcement: { style: 'nested' },
    });
  });

  it.each([
    [
      'another number of cells',
      () => resolve(asItStands, { set: { architecture: 'none' } }),
      'TB_GATE_REF',
      '2 cells and the candidate 1',
    ],
    ['other requests', () => resolve(topology('plain'), topology('asked')), 'TB_GATE_REF', 'different requests'],
    ['one port for both', () => resolve(topology('fixed'), topology('fixed')), 'TB_GATE_REF', 'port 7070'],
    [
      'a command for two services',
      () => resolve(asItStands, ref({ kind: 'command', command: 'x' }), { topology: at('work/perf/two.yaml') }),
      'TB_GATE_REF',
      '"pricing", "billing"',
    ],
    [
      'a command for none',
      () => resolve(asItStands, ref({ kind: 'command', command: 'x' }), { topology: at('work/perf/plain.yaml') }),
      'TB_GATE_REF',
      'replaces nothing',
    ],
    ['items to keep', () => resolve(topology('keeping'), topology('keeping')), 'TB_USAGE', 'as orders does'],
    [
      'a closed model',
      () => resolve(asItStands, asItStands, { 'load.driver': 'autocannon' }),
      'TB_USAGE',
      'scheduled arrivals',
    ],
    [
      'requests to keep',
      () => resolve(asItStands, asItStands, { keepRequests: true }),
      'TB_EXPERIMENT_KEEP_REQUESTS',
      '--set keepRequests=false',
    ],
    ['another load on one side', () => resolve(asItStands, { set: { duration: '1s' } }), 'TB_USAGE', '--set duration='],
  ])('are refused with %s', async (_name, sides, code, words) => {
    const error: unknown = await sides().catch((caught: unknown) => caught);
    expect(error).toMatchObject({ code });
    expect(told(error)).toContain(words);
  });
});

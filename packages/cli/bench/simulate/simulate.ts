/**
 * `npm run bench:simulate [-- --quick --cores --keep-disturbed --out FOLDER]`: holds the simulator to cells that no
 * calibration has seen. It calibrates this machine, registers predictions of the two prediction studies, measures them,
 * and prints the judgement. Last, two cores predict one, and one predicts two: always cores 0 and 1. About 130 minutes;
 * --quick: a rough calibration and few cells of one study, in minutes; --cores: the last part alone. On a machine that
 * does nothing else: otherwise it refuses, unless --keep-disturbed is given.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    cores: { type: 'boolean', default: false },
    'keep-disturbed': { type: 'boolean', default: false },
    out: {
      type: 'string',
      default: `runs/bench-simulate-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`,
    },
  },
});
const program = fileURLToPath(new URL('../../bin/topo-bench.js', import.meta.url));
const kept = flags['keep-disturbed'] ? ['--keep-disturbed'] : [];
/** With --quick a few levels, in fewer seconds. */
const fewer = [
  ...['--only', 'architecture=none,dynamic-router-3,sidecar', '--only', 'services=9', '--only', 'rate=40'],
  ...['--only', 'topology.defaults.work.law=exponential', '--set', 'duration=6s', '--set', 'warmup.requests=1000'],
];
const studies = flags.quick
  ? [{ name: 'prediction-study', choices: fewer }]
  : [
      { name: 'prediction-study', choices: [] },
      { name: 'prediction-orders', choices: [] },
    ];

mkdirSync(flags.out, { recursive: true });
if (!flags.cores) {
  const calibration = calibrated('calibration', flags.quick ? ['--quick'] : []);
  for (const { name, choices } of studies) judged(name, name, choices, calibration);
}
otherCores();

/** The same command continues where it was interrupted. @returns path of the calibration */
function calibrated(name: string, choices: readonly string[], core?: string): string {
  const file = join(flags.out, `${name}.json`);
  if (!existsSync(file)) call(['calibrate', '--out', file, ...choices, ...kept], core);
  return file;
}

function judged(
  name: string,
  study: string,
  choices: readonly string[],
  calibration: string,
  { cluster, core }: { cluster?: string; core?: string | undefined } = {},
): void {
  const register = join(flags.out, `${name}-predicted.json`);
  const run = join(flags.out, name);
  const given = ['--calibration', calibration, ...(cluster ? ['--cluster', cluster] : []), '--register', register];
  if (!existsSync(register)) call(['predict', study, ...given, ...choices]);
  if (existsSync(join(run, 'run.json'))) call(['run', '--resume', run], core);
  else call(['run', study, '--out', run, ...choices], core);
  call(['judge', register, run, ...kept]);
}

/** A quick calibration has cells of one number of cores alone. The other number is a machine that it does not know. */
function otherCores(): void {
  if (availableParallelism() < 2 || spawnSync('taskset', ['-c', '0,1', 'true']).status !== 0) {
    process.stderr.write('\nno taskset, or one core alone: two cores predict no other number\n');
    return;
  }
  const levels = ['services=9', 'rate=40', 'topology.defaults.work.law=constant', 'delay=0ms'];
  const choices = [
    ...levels.flatMap((level) => ['--only', level]),
    ...(flags.quick ? ['--only', 'architecture=none,sidecar', '--set', 'warmup.requests=1000'] : []),
  ];
  for (const { name, seen, other } of [
    { name: 'two-cores-predict-one', seen: '0,1', other: '0' },
    { name: 'one-core-predicts-two', seen: '0', other: '0,1' },
  ]) {
    const cluster = join(flags.out, `${name}-cluster.json`);
    const host = { cores: other.split(',').length, nodes: ['node-1', 'node-2', 'node-3'] };
    const hosts = [{ name: 'machine', speed: 1, ...host }];
    writeFileSync(cluster, JSON.stringify({ apiVersion: 'topo-bench/v1', kind: 'Cluster', name, hosts }));
    const calibration = calibrated(`${name}-calibration`, ['--quick'], seen);
    process.stderr.write(`\n${name.replaceAll('-', ' ')}\n`);
    judged(name, 'prediction-study', choices, calibration, { cluster, core: other });
  }
}

/** @param core those that all processes share, as `taskset` names them; default: all cores */
function call(args: readonly string[], core?: string): void {
  const [command, ...words] = [
    ...(core === undefined ? [] : ['taskset', '-c', core]),
    process.execPath,
    program,
    ...args,
  ];
  process.stderr.write(`\n$ ${core === undefined ? '' : `taskset -c ${core} `}topo-bench ${args.join(' ')}\n`);
  const { status } = spawnSync(command as string, words, { stdio: 'inherit' });
  // Invalid cells of a run, exit code 5, are left out by the judgement.
  if (status !== 0 && !(args[0] === 'run' && status === 5)) process.exit(status ?? 4);
}

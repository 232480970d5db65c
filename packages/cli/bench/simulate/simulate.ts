/**
 * `npm run bench:simulate [-- --quick --keep-disturbed --out FOLDER]`: holds the simulator to cells that no calibration
 * has seen. It calibrates this machine, registers predictions of the two prediction studies, measures them, and prints
 * the judgement. About 100 minutes; --quick: a rough calibration and 6 cells of one study, in minutes. On a machine
 * that does nothing else: otherwise it refuses, unless --keep-disturbed is given.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values: flags } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    'keep-disturbed': { type: 'boolean', default: false },
    out: {
      type: 'string',
      default: `runs/bench-simulate-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}`,
    },
  },
});
const program = fileURLToPath(new URL('../../bin/topo-bench.js', import.meta.url));
const kept = flags['keep-disturbed'] ? ['--keep-disturbed'] : [];
const calibration = join(flags.out, 'calibration.json');
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
// The same command continues where it was interrupted.
if (!existsSync(calibration)) {
  call('calibrate', '--out', calibration, ...(flags.quick ? ['--quick'] : []), ...kept);
}
for (const { name, choices } of studies) {
  const register = join(flags.out, `${name}.json`);
  const run = join(flags.out, name);
  const given = ['--calibration', calibration, '--register', register];
  if (!existsSync(register)) call('predict', name, ...given, ...choices);
  if (existsSync(join(run, 'run.json'))) call('run', '--resume', run);
  else call('run', name, '--out', run, ...choices);
  call('judge', register, run, ...kept);
}

function call(...args: string[]): void {
  process.stderr.write(`\n$ topo-bench ${args.join(' ')}\n`);
  const { status } = spawnSync(process.execPath, [program, ...args], { stdio: 'inherit' });
  // Invalid cells of a run, exit code 5, are left out by the judgement.
  if (status !== 0 && !(args[0] === 'run' && status === 5)) process.exit(status ?? 4);
}

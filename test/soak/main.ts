/**
 * `npm run soak -- [--requests 1000000] [--seed 1] [--minutes 10] [--replay FILE]`: random topologies, rules, changes
 * of rules and faults in virtual time. With `--processes [--architecture NAME]` on real processes: 100,000 requests
 * under each architecture within an hour unless the flags say otherwise. Prints what the requests have met, or the
 * first claim that is false. Exit code 0: all claims are true of all requests, 1: one is not, or the time was too
 * short, 2: wrong arguments.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Architecture, architectures } from '@topo-bench/core';
import { parse, stringify } from 'yaml';
import { soakOnProcesses } from './on-processes.ts';
import { playCase } from './play-case.ts';
import { type SoakResult, soak } from './soak.ts';
import type { SoakCase } from './soak-case.ts';

const usage =
  'npm run soak -- [--processes [--architecture NAME]] [--requests N] [--seed 1] [--minutes N] [--replay FILE]';
const count = (many: number): string => many.toLocaleString('en');

function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}

function read() {
  try {
    return parseArgs({
      options: {
        processes: { type: 'boolean', default: false },
        architecture: { type: 'string' },
        requests: { type: 'string' },
        seed: { type: 'string', default: '1' },
        minutes: { type: 'string' },
        replay: { type: 'string' },
      },
    }).values;
  } catch (error) {
    return refuse((error as Error).message);
  }
}

function whole(name: string, text: string, min: number): number {
  const value = Number(text);
  return Number.isSafeInteger(value) && value >= min
    ? value
    : refuse(`--${name}: got ${text}, expected a whole number ≥ ${min}`);
}

/** @returns whether all claims hold */
async function replay(file: string): Promise<boolean> {
  const { violations, seen } = await playCase(parse(readFileSync(file, 'utf8')) as SoakCase);
  for (const { kind, reason } of violations) console.log(`${kind}: ${reason}`);
  if (violations.length === 0) console.log(`all claims hold: ${JSON.stringify(seen)}`);
  return violations.length === 0;
}

/** @param architecture of a soak on processes; there the case is not made smaller */
function printViolation({ requests, violated }: SoakResult, architecture: Architecture | undefined): void {
  if (!violated) return;
  const { seed, violation, smallest } = violated;
  const file = join(tmpdir(), `soak-${seed}.yaml`);
  writeFileSync(
    file,
    `# ${violation.kind}: ${violation.reason}\n${stringify(smallest, { aliasDuplicateObjects: false })}`,
  );
  if (architecture !== undefined) {
    const again = `npm run soak -- --processes --architecture ${architecture} --seed ${seed} --requests 1`;
    console.log(
      `${architecture}: ${violation.kind} within ${count(requests)} requests: ${violation.reason}\n  the case:  ${file}\n  again:     ${again}`,
    );
    return;
  }
  const { topology, rules, faults, changes } = smallest;
  const sizes = [
    `${topology.services?.length ?? 0} services`,
    `${rules.rules.length} rules`,
    `${faults.length + changes.length} events`,
    `${smallest.requests.length} requests`,
  ];
  console.log(
    `${violation.kind} within ${count(requests)} requests: ${violation.reason}\n` +
      `  replay the case:           npm run soak -- --seed ${seed} --requests 1\n` +
      `  replay it with ${sizes.join(', ')}: npm run soak -- --replay ${file}`,
  );
}

interface Bounds {
  requests: number;
  seed: number;
  minutes: number;
}

/** @returns whether all claims are true of all requests */
async function report(
  architecture: Architecture | undefined,
  { requests, seed, minutes }: Bounds,
  run: typeof soak,
  every: number,
) {
  const what = architecture === undefined ? '' : `${architecture}: `;
  const started = performance.now();
  const seconds = (): number => Math.round((performance.now() - started) / 1000);
  let printed = 0;
  const result = await run({
    ...{ requests, seed, untilMs: started + minutes * 60_000 },
    progress: (done, next) => {
      if (done - printed < every) return;
      printed = done;
      console.log(`${what}${count(done)} requests in ${seconds()} s; continue with --seed ${next}`);
    },
  });
  if (result.violated) {
    printViolation(result, architecture);
    return false;
  }
  const { user, system } = process.cpuUsage();
  const met = Object.entries(result.seen).sort(([, one], [, other]) => other - one);
  console.log(
    `${what}${count(result.requests)} requests over ${count(result.cases)} topologies in ${seconds()} s ` +
      `(${Math.round((user + system) / 1e6)} s of processor time of this process): all claims hold\n` +
      met.map(([name, many]) => `  ${name}: ${count(many)}`).join('\n'),
  );
  if (result.requests >= requests) return true;
  console.log(`stopped after ${minutes} minutes: ${count(result.requests)} of ${count(requests)} requests`);
  return false;
}

function chosenArchitectures(name: string | undefined): readonly Architecture[] {
  if (name === undefined) return architectures;
  const found = architectures.find((one) => one === name);
  return found ? [found] : refuse(`--architecture: got ${name}, expected ${architectures.join(', ')}`);
}

const flags = read();
if (flags.replay !== undefined && (flags.processes || flags.architecture !== undefined))
  refuse('--replay plays in virtual time: leave out --processes and --architecture');
if (flags.replay !== undefined) process.exit((await replay(flags.replay)) ? 0 : 1);
if (flags.architecture !== undefined && !flags.processes) refuse('--architecture is for --processes');
const bounds: Bounds = {
  requests: whole('requests', flags.requests ?? (flags.processes ? '100000' : '1000000'), 1),
  minutes: whole('minutes', flags.minutes ?? (flags.processes ? '60' : '10'), 1),
  seed: whole('seed', flags.seed, 0),
};
if (!flags.processes) process.exit((await report(undefined, bounds, soak, 100_000)) ? 0 : 1);
for (const architecture of chosenArchitectures(flags.architecture)) {
  const run: typeof soak = (options) => soakOnProcesses(architecture, options);
  if (!(await report(architecture, bounds, run, 1))) process.exit(1);
}

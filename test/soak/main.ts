/**
 * `npm run soak -- [--requests 1000000] [--seed 1] [--minutes 10] [--replay FILE]`: random topologies, rules, changes
 * of rules and faults in virtual time. Prints what the requests have met, or the first claim that is false. Exit
 * code 0: all claims are true of all requests, 1: one is not, or the time was too short, 2: wrong arguments.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { parse, stringify } from 'yaml';
import { playCase } from './play-case.ts';
import { type SoakResult, soak } from './soak.ts';
import type { SoakCase } from './soak-case.ts';

const usage = 'npm run soak -- [--requests 1000000] [--seed 1] [--minutes 10] [--replay FILE]';
const count = (many: number): string => many.toLocaleString('en');

function refuse(reason: string): never {
  console.error(`${reason}\n${usage}`);
  process.exit(2);
}

function read() {
  try {
    return parseArgs({
      options: {
        requests: { type: 'string', default: '1000000' },
        seed: { type: 'string', default: '1' },
        minutes: { type: 'string', default: '10' },
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

function printViolation({ requests, violated }: SoakResult): void {
  if (!violated) return;
  const { seed, violation, smallest } = violated;
  const file = join(tmpdir(), `soak-${seed}.yaml`);
  writeFileSync(
    file,
    `# ${violation.kind}: ${violation.reason}\n${stringify(smallest, { aliasDuplicateObjects: false })}`,
  );
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

const flags = read();
if (flags.replay !== undefined) process.exit((await replay(flags.replay)) ? 0 : 1);
const requests = whole('requests', flags.requests, 1);
const minutes = whole('minutes', flags.minutes, 1);
const started = performance.now();
let printed = 0;
const result = await soak({
  ...{ requests, seed: whole('seed', flags.seed, 0), untilMs: started + minutes * 60_000 },
  progress: (done) => {
    if (done - printed < 100_000) return;
    printed = done;
    console.log(`${count(done)} requests in ${Math.round((performance.now() - started) / 1000)} s`);
  },
});
printViolation(result);
if (result.violated) process.exit(1);
const { user, system } = process.cpuUsage();
const met = Object.entries(result.seen).sort(([, one], [, other]) => other - one);
console.log(
  `${count(result.requests)} requests over ${count(result.cases)} topologies in ${Math.round((performance.now() - started) / 1000)} s ` +
    `(${Math.round((user + system) / 1e6)} s of processor time): all claims hold\n` +
    met.map(([name, many]) => `  ${name}: ${count(many)}`).join('\n'),
);
if (result.requests < requests) {
  console.log(`stopped after ${minutes} minutes: ${count(result.requests)} of ${count(requests)} requests`);
  process.exit(1);
}

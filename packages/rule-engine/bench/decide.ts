/**
 * `npm run bench:decide [-- --json]`: time of one decision, facts prebuilt, of both engines, Cedar and OPA on the same
 * rules. All decisions are checked equal before anything is timed.
 */
import { isDeepStrictEqual } from 'node:util';
import { cedar } from './contenders/cedar.ts';
import type { Contender, LoadedContender } from './contenders/contender.ts';
import { opa } from './contenders/opa.ts';
import { ours, partitioned } from './contenders/ours.ts';
import { type DecisionTime, measure, rounds } from './timing.ts';
import { type Workload, workloads } from './workloads.ts';

const contenders: readonly Contender[] = [ours('compiled'), ours('json-rules-engine'), partitioned, opa, cedar];
/** The slowest takes a quarter of a second for one decision over 5000 rules. */
const requestsChecked = 16;

interface Result {
  workload: string;
  targetUs: number;
  /** Whether the median of the compiled engine is within the target. */
  met: boolean;
  engines: (DecisionTime & { name: string; ratio: number })[];
  missing: { name: string; reason: string }[];
}

const json = process.argv.includes('--json');
const results: Result[] = [];
for (const workload of workloads()) {
  const result = await run(workload);
  results.push(result);
  if (!json) print(result);
}
if (json) process.stdout.write(`${JSON.stringify({ rounds, node: process.version, results }, null, 2)}\n`);

async function run(workload: Workload): Promise<Result> {
  const loaded: { name: string; contender: LoadedContender }[] = [];
  const missing: Result['missing'] = [];
  for (const { name, load } of contenders) {
    process.stderr.write(`loading ${workload.name} into ${name}\n`);
    const contender = await load(workload);
    if (typeof contender === 'string') missing.push({ name, reason: contender });
    else loaded.push({ name, contender });
  }
  await checkEqual(loaded, workload);
  const times = await measure(
    loaded.map(({ contender }) => contender),
    workload.facts.length,
  );
  const baseUs = times[0]?.medianUs ?? Number.NaN;
  const engines = times.map((time, i) => ({ name: loaded[i]?.name ?? '', ...time, ratio: time.medianUs / baseUs }));
  return { workload: workload.name, targetUs: workload.targetUs, met: baseUs <= workload.targetUs, engines, missing };
}

/** Every contender must match the same rules, else their times mean nothing. */
async function checkEqual(
  loaded: readonly { name: string; contender: LoadedContender }[],
  workload: Workload,
): Promise<void> {
  for (let i = 0; i < requestsChecked; i++) {
    let expected: string[] | undefined;
    for (const { name, contender } of loaded) {
      const matched = contender.matched(await contender.decide(i)).toSorted();
      expected ??= matched;
      if (!isDeepStrictEqual(matched, expected)) {
        throw new Error(`${workload.name}, request ${i}: ${name} matches ${matched}, ${loaded[0]?.name} ${expected}`);
      }
    }
  }
}

function print({ workload, targetUs, met, engines, missing }: Result): void {
  const lines = [`\n${workload}: target ${targetUs} µs, ${met ? 'met' : 'NOT met'}`];
  for (const { name, medianUs, interval, ratio } of engines) {
    const range = `[${interval.map((us) => us.toPrecision(3)).join(', ')}]`;
    lines.push(
      `  ${name.padEnd(40)} ${medianUs.toPrecision(3).padStart(9)} µs  ${range.padEnd(22)} ${Math.round(ratio)}×`,
    );
  }
  for (const { name, reason } of missing) lines.push(`  ${name.padEnd(40)} not measured: ${reason}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

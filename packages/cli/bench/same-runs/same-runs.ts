/**
 * `npm run same-runs -- FOLDER FOLDER [--common]`: whether two run folders of one experiment and seed agree in all that
 * time does not decide. For a change that must not change results: run both states, compare. Exit code 1 on a
 * difference. `--common` compares only repetitions that both have, for the sides of gates.
 */
import { parseArgs } from 'node:util';
import { openRun } from '@topo-bench/results';
import { sameCells } from './same-cells.ts';

const { positionals, values } = parseArgs({ allowPositionals: true, options: { common: { type: 'boolean' } } });
const [first, second, ...more] = positionals;
if (!first || !second || more.length > 0) throw new Error(`got ${positionals.length} folders, expected 2`);
const runs = await Promise.all([openRun(first), openRun(second)]);
const [a, b] = runs.map(({ record }) => record);
if (a?.seed !== b?.seed) console.log(`seeds differ: ${a?.seed} and ${b?.seed}`);

const { compared, figures, differences, medianRatios, valid } = sameCells(runs[0].cells, runs[1].cells, values.common);
for (const { cell, figure, ...values } of differences) {
  console.log(`${cell}: ${figure}\n  ${JSON.stringify(values.first)}\n  ${JSON.stringify(values.second)}`);
}
const count = differences.length === 0 ? 'no difference' : `${differences.length} differences`;
console.log(`${compared} repetitions, ${figures} figures: ${count}; valid: ${valid[0]} and ${valid[1]}`);
const ratioAt = (share: number): string =>
  medianRatios[Math.round(share * (medianRatios.length - 1))]?.toFixed(2) ?? '–';
console.log(`median round-trip time, second / first: ${ratioAt(0)} to ${ratioAt(1)}, median ${ratioAt(0.5)}`);
if (differences.length > 0 || compared === 0 || a?.seed !== b?.seed) process.exitCode = 1;

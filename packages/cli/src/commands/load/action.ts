/** The work of `load`: drive, then one entry as text or JSON. */
import { ExitCode, formatUs } from '@topo-bench/core';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import { type LoadUrlResult, loadUrl } from '@topo-bench/loadgen/load-url/load-url';
import { interruptible } from '../../interrupt.ts';
import { note, printJson, printLine } from '../../output.ts';
import type { LoadFlags } from './options.ts';

export async function action(url: string, flags: LoadFlags): Promise<void> {
  const { rate, duration, drain, header, processes, method, body, findMax } = flags;
  const result = await interruptible(
    (signal) =>
      loadUrl({
        url,
        driver: flags.driver,
        arrivals: flags.arrivals,
        connections: flags.connections,
        durationUs: duration,
        drainUs: drain,
        seed: flags.seed,
        keepAwake: flags.keepAwake,
        signal,
        onProgress: note,
        ...(rate !== undefined && { rateRps: rate }),
        ...(header !== undefined && { headers: header }),
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
        ...(processes !== undefined && { processes }),
        ...(findMax !== undefined && { findMax }),
      }),
    'interrupted',
  );
  if (flags.json) printJson(result.search ? { ...result.cell, search: result.search } : result.cell);
  else print(url, result);
  if (!result.cell.validity.valid || result.search?.met === false) process.exitCode = ExitCode.invalid;
}

function print(url: string, { cell, search }: LoadUrlResult): void {
  const { offeredRps, achievedRps, outcomes, errors, validity } = cell;
  if (search)
    printLine(search.met ? `${formatRate(offeredRps)} meets ${search.condition}` : `no rate meets ${search.condition}`);
  printLine(`${url}: offered ${formatRate(offeredRps)}, sent ${formatRate(achievedRps)}`);
  printSummary('response time', cell.responseTime);
  printSummary('round trip', cell.rtt);
  printSummary('scheduler lag', cell.schedulerLag);
  printLine(
    `answered ${outcomes.completed + outcomes.refused}, errors ${outcomes.error}, unfinished ${outcomes.unfinished}`,
  );
  for (const [kind, count] of Object.entries(errors)) printLine(`  ${kind}: ${count}`);
  printValidity(validity);
}

function printSummary(name: string, { count, medianUs, p95Us, p99Us, p999Us, maxUs }: Summary): void {
  if (count === 0) return;
  const figures = [
    `median ${formatUs(medianUs)}`,
    `p95 ${formatUs(p95Us)}`,
    `p99 ${formatUs(p99Us)}`,
    `p99.9 ${formatUs(p999Us)}`,
  ];
  printLine(`${name.padEnd(13)}  ${figures.join('  ')}  max ${formatUs(maxUs)}`);
}

function printValidity({ valid, reasons, flags }: Cell['validity']): void {
  if (flags.length > 0) printLine(`flags: ${flags.join(', ')}`);
  if (!valid) printLine(`INVALID: ${reasons.join('; ')}`);
}

function formatRate(rps: number): string {
  return `${Number(rps.toPrecision(4))} req/s`;
}

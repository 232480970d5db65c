/** The work of `load`: drive, then one entry as text or JSON, and the verdict on thresholds. */
import { ExitCode, formatUs, shownAddress } from '@topo-bench/core';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import { type LoadUrlResult, loadUrl, type RampStep } from '@topo-bench/loadgen/load-url/load-url';
import { interruptible } from '../../interrupt.ts';
import { note, printJson, printLine } from '../../output.ts';
import { writeLoadPage } from './load-page.ts';
import { LoadProgressLine } from './load-progress-line.ts';
import type { LoadFlags } from './options.ts';
import { requirePageFile } from './page-file.ts';
import { readBody, withScheme } from './target.ts';
import { checkThresholds, errorShareAllowed, type LoadThreshold, parseThresholds } from './thresholds.ts';
import { readTls } from './tls.ts';

export async function action(target: string, flags: LoadFlags): Promise<void> {
  const { rate, duration, drain, header, processes, method, findMax } = flags;
  const [url, thresholds] = [withScheme(target), parseThresholds(flags.threshold ?? [])];
  if (flags.html !== undefined) await requirePageFile(flags.html);
  const [body, tls] = await Promise.all([readBody(flags), readTls(url, flags)]);
  const maxErrorShare = errorShareAllowed(thresholds, findMax !== undefined);
  const live = new LoadProgressLine(process.stderr, { quiet: flags.quiet ?? false });
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
        onProgress: flags.quiet ? () => undefined : note,
        onLive: (state) => live.show(state),
        ...(rate && { rateRps: rate.fromRps }),
        ...(rate?.toRps !== undefined && { rampToRps: rate.toRps }),
        ...(header !== undefined && { headers: header }),
        ...(method !== undefined && { method }),
        ...(body !== undefined && { body }),
        ...(tls && { tls }),
        ...(processes !== undefined && { processes }),
        ...(findMax !== undefined && { findMax }),
        ...(maxErrorShare !== undefined && { maxErrorShare }),
      }),
    'interrupted',
  ).finally(() => live.close());
  const { cell, search, statuses, errorExamples, ramp } = result;
  const checked = checkThresholds(thresholds, cell);
  const added = {
    ...(Object.keys(errorExamples).length > 0 && { errorExamples }),
    ...(ramp && { ramp }),
    ...(search && { search }),
    ...(checked.length > 0 && { thresholds: checked }),
  };
  if (flags.json) printJson({ ...cell, statuses, ...added });
  else print(url, result, checked);
  if (!cell.validity.valid || cell.unfinished > 0 || search?.met === false) process.exitCode = ExitCode.invalid;
  else if (checked.some(({ passed }) => passed === false)) process.exitCode = ExitCode.checkFailed;
  else if (checked.some(({ passed }) => passed === null)) process.exitCode = ExitCode.invalid;
  // After the figures: they must not be lost with the page.
  if (flags.html !== undefined) await writeLoadPage(flags.html, { url, flags, result, thresholds: checked });
}

function print(
  url: string,
  { cell, search, statuses, errorExamples, delayedShare, ramp }: LoadUrlResult,
  thresholds: readonly LoadThreshold[],
): void {
  const { offeredRps, achievedRps, outcomes, errors, validity } = cell;
  if (search)
    printLine(search.met ? `${formatRate(offeredRps)} meets ${search.condition}` : `no rate meets ${search.condition}`);
  printLine(`${shownAddress(new URL(url))}: offered ${formatRate(offeredRps)}, sent ${formatRate(achievedRps)}`);
  if (ramp) printRamp(ramp);
  printSummary('response time', cell.responseTime);
  printSummary('round trip', cell.rtt);
  printSummary('scheduler lag', cell.schedulerLag);
  printConnections(cell.generator?.connections);
  printLine(
    `answered ${outcomes.completed + outcomes.refused}, errors ${outcomes.error}, unfinished ${outcomes.unfinished}`,
  );
  const total = Object.values(statuses).reduce((sum, count) => sum + count, 0);
  for (const [status, count] of Object.entries(statuses)) {
    printLine(`  status ${status}: ${count} (${Number(((100 * count) / total).toFixed(1))}%)`);
  }
  for (const [kind, count] of Object.entries(errors)) {
    if (kind.startsWith('http-')) continue;
    const example = errorExamples[kind as keyof typeof errorExamples];
    printLine(`  ${kind}: ${count}${example === undefined ? '' : ` (${example})`}`);
  }
  if (delayedShare > 0) printLine(delayedHint(delayedShare));
  for (const { text, value, passed, reason } of thresholds) {
    const verdict = passed === null ? 'cannot tell' : passed ? 'passed' : 'FAILED';
    printLine(`${verdict}: ${text} (measured ${value}${reason === undefined ? '' : `; ${reason}`})`);
  }
  printValidity(validity);
}

/** Response times over the rate, in ten steps. */
function printRamp(steps: readonly RampStep[]): void {
  printLine('     req/s     median        p95   failed');
  for (const { rateRps, requests, failed, medianUs, p95Us } of steps) {
    const figures = [formatUs(medianUs), formatUs(p95Us)].map((text) => text.padStart(10));
    printLine(
      `${String(Math.round(rateRps)).padStart(10)} ${figures.join(' ')} ${`${failed}/${requests}`.padStart(8)}`,
    );
  }
}

/** @param share of the answers that are in a mode of 40 ms, 0…1 */
export function delayedHint(share: number): string {
  const percent = `${Math.round(100 * share)}%`;
  return `hint: ${percent} of the answers took about 40 ms, and few a little more or less. Typical cause: the server writes an answer in parts, Nagle's algorithm holds the last one back, and its acknowledgement is delayed by 40 ms. Set TCP_NODELAY at the server, or write header and body at once.`;
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

function printConnections(connections: NonNullable<Cell['generator']>['connections']): void {
  if (connections)
    printLine(
      `connections    ${connections.opened} opened, ${connections.onDemand} of them for a request that was due`,
    );
}

function printValidity({ valid, reasons, flags }: Cell['validity']): void {
  if (flags.length > 0) printLine(`flags: ${flags.join(', ')}`);
  if (!valid) printLine(`INVALID: ${reasons.join('; ')}`);
}

function formatRate(rps: number): string {
  return `${Number(rps.toPrecision(4))} req/s`;
}

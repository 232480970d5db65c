import { formatSeconds } from '@topo-bench/core';
import type { Cell, Summary } from '@topo-bench/core/schema/result';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { terminal } from '../src/output.ts';
import { folded, RunProgress, repetitionLine } from '../src/run-progress.ts';

const entry = {
  factors: { architecture: 'sidecar', services: 5, rate: 100 },
  repetition: 2,
  achievedRps: 99.84,
  rtt: { medianUs: 1234, p95Us: Number.POSITIVE_INFINITY } as Summary,
  decisions: { wrong: 0 },
  validity: { valid: true, reasons: [], flags: ['host-saturated'] },
} as unknown as Cell;

const figures = ({ achievedRps }: Cell): string[] => ['RTT median 1.23 ms', `${achievedRps.toFixed(1)} req/s`];

function watched(isTTY: boolean) {
  let text = '';
  let nowMs = 0;
  const progress = new RunProgress({ write: (part) => (text += part), isTTY, ...(isTTY && { columns: 60 }) }, figures, {
    nowMs: () => nowMs,
  });
  return { progress, text: () => text, pass: (ms: number) => (nowMs += ms) };
}

const started = {
  kind: 'started',
  source: 'measured',
  runDir: 'runs/x',
  repetitions: 12,
  finished: 2,
  remainingSeconds: 100,
} as const;
const phase = { kind: 'phase', phase: 'warm-up', cell: entry.factors, repetition: 2 } as const;

describe('progress of a run', () => {
  it('is plain lines without a terminal', () => {
    const { progress, text } = watched(false);
    progress.onEvent(started);
    progress.onEvent(phase);
    progress.onEvent({
      kind: 'repetition',
      entry,
      remeasure: false,
      finished: 3,
      repetitions: 12,
      remainingSeconds: 90,
    });
    progress.onEvent({ kind: 'warning', message: 'careful' });
    progress.close();
    expect(text()).toBe(
      [
        '10 repetitions to measure, 2 finished before, about 2 min · runs/x',
        '[ 3/12] sidecar · 5 services · 100 req/s #2: RTT median 1.23 ms · 99.8 req/s · host-saturated',
        'warning: careful',
        '',
      ].join('\n'),
    );
  });

  it('is as without a terminal in one whose size was never set', () => {
    const line = repetitionLine({ entry, remeasure: false, finished: 1, repetitions: 1 }, figures);
    expect(folded(line, 0)).toBe(folded(line));
    vi.stubGlobal('process', { ...process, stdout: { columns: 0, isTTY: true } });
    expect(terminal().columns).toBe(120);
    vi.unstubAllGlobals();
  });

  it('breaks lines beyond 120 columns between their parts, and none of these', () => {
    const { progress, text } = watched(false);
    const flags = ['host-saturated', 'cold', 'overlap', 'a-flag-of-many-letters', 'another-flag-of-many-letters'];
    const long = { ...entry, validity: { ...entry.validity, flags } };
    const narrow = { finished: 3, repetitions: 12, remainingSeconds: 90 };
    progress.onEvent({ kind: 'repetition', entry: long, remeasure: true, ...narrow });
    progress.close();
    const lines = text().trimEnd().split('\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.filter(({ length }) => length > 120)).toEqual([]);
    expect(lines.slice(1).every((line) => line.startsWith('    '))).toBe(true);
    const whole = repetitionLine({ entry: long, remeasure: true, ...narrow }, figures);
    expect(lines.map((line) => line.trim()).join(' · ')).toBe(whole);
  });

  it('breaks a reason that is longer than a line between its words', () => {
    const { progress, text } = watched(false);
    const reasons = [
      'scheduler lag p99 3.04 ms is above 1 ms',
      'and above 10% of the smallest compared median'.repeat(3),
    ];
    const late = { ...entry, validity: { ...entry.validity, valid: false, reasons } };
    progress.onEvent({
      kind: 'repetition',
      entry: late,
      remeasure: false,
      finished: 3,
      repetitions: 12,
      remainingSeconds: 9,
    });
    progress.close();
    const lines = text().trimEnd().split('\n');
    expect(lines.filter(({ length }) => length > 120)).toEqual([]);
    expect(lines.map((line) => line.trim()).join(' ')).toContain(`INVALID: ${reasons.join('; ')}`);
  });

  it('has no line after its end, also where several runs have started', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { progress, text, pass } = watched(false);
    for (let run = 0; run < 2; run++) progress.onEvent(started);
    progress.onEvent(phase);
    progress.close();
    const before = text();
    pass(120_000);
    vi.advanceTimersByTime(120_000);
    expect(text()).toBe(before);
  });

  it('has a line after each silent minute without a terminal', () => {
    vi.useFakeTimers();
    const { progress, text, pass } = watched(false);
    const tick = (ms: number): void => {
      pass(ms);
      vi.advanceTimersByTime(1000);
    };
    progress.onEvent(started);
    progress.onEvent(phase);
    for (const ms of [59_000, 1000, 59_000]) tick(ms);
    progress.onEvent({ kind: 'notice', message: 'careful' });
    for (const ms of [59_000, 1000]) tick(ms);
    progress.close();
    vi.useRealTimers();
    const silent = '2/12 · warming up sidecar · 5 services · 100 req/s #2 · about';
    expect(text().split('\n').slice(1)).toEqual([`${silent} 40 s left`, 'note: careful', `${silent} 0 s left`, '']);
  });

  it('keeps one live line with the remaining time on a terminal, never wider than it', () => {
    const { progress, text, pass } = watched(true);
    progress.onEvent(started);
    pass(30_000);
    progress.onEvent(phase);
    const live = text().split('\x1b[K').at(-1) as string;
    progress.close();
    expect(live).toMatch(/^2\/12 · warming up sidecar · 5 services · 100 req\/s #2 · a/);
    expect(live).toHaveLength(59);
    expect(text().endsWith('\r\x1b[K')).toBe(true);
  });

  it('names the reasons of an invalid repetition', () => {
    const invalid = { ...entry, validity: { valid: false, reasons: ['3 wrong decisions', 'died: svc-1'], flags: [] } };
    expect(repetitionLine({ entry: invalid, remeasure: false, finished: 1, repetitions: 1 }, figures)).toMatch(
      / · INVALID: 3 wrong decisions; died: svc-1$/,
    );
  });

  it('names repetitions to be measured again, and those that were', () => {
    const late = {
      ...entry,
      validity: { valid: false, reasons: ['scheduler lag'], flags: [], onlyLate: true as const },
    };
    const first = repetitionLine({ entry: late, remeasure: true, finished: 0, repetitions: 1 }, figures);
    expect(first).toMatch(/^\[0\/1\] .* #2: .* · INVALID: scheduler lag; will be measured again in this round$/);
    const discarded = [late as unknown as NonNullable<Cell['discarded']>[number]];
    const second = repetitionLine(
      { entry: { ...entry, discarded }, remeasure: false, finished: 1, repetitions: 1 },
      figures,
    );
    expect(second).toMatch(/^\[1\/1\] .* #2, measured again: RTT median/);
  });
});

describe('an estimated time', () => {
  it.each([
    [0, '0 s'],
    [44.2, '45 s'],
    [150, '3 min'],
    [3 * 3600 + 290, '3 h 05 min'],
    [3599, '1 h 00 min'],
  ])('of %d seconds reads %s', (seconds, text) => {
    expect(formatSeconds(seconds)).toBe(text);
  });
});

it('is nothing but notes and warnings with --quiet', () => {
  let text = '';
  const output = { write: (part: string) => (text += part), isTTY: true, columns: 60 };
  const quiet = new RunProgress(output, () => [], { quiet: true });
  quiet.onEvent({
    kind: 'started',
    source: 'measured',
    runDir: 'runs/x',
    finished: 0,
    repetitions: 2,
    remainingSeconds: 10,
  });
  quiet.onEvent({ kind: 'phase', phase: 'deploy', cell: { architecture: 'none' }, repetition: 1 });
  quiet.onEvent({ kind: 'notice', message: 'jitter is not applied' });
  quiet.onEvent({ kind: 'warning', message: 'a role died' });
  quiet.close();
  expect(text).toBe('note: jitter is not applied\nwarning: a role died\n');
});

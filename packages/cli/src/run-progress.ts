/**
 * Progress of a run on standard error: one line per finished repetition, and on a terminal one live line below them.
 * Elsewhere the same text is a line of its own in every minute without another one.
 */
import { counted, describeCell, formatSeconds } from '@topo-bench/core';
import type { Cell, FactorLevels } from '@topo-bench/core/schema/result';
import { flagTexts } from '@topo-bench/results';
import type { Phase, RunEvent } from '@topo-bench/trial';

export interface ProgressOutput {
  write(text: string): void;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

type RepetitionEvent = Omit<Extract<RunEvent, { kind: 'repetition' }>, 'kind' | 'remainingSeconds'>;

const phaseNames: Record<Phase, string> = {
  deploy: 'deploying',
  'warm-up': 'warming up',
  load: 'measuring',
  drain: 'draining',
  collect: 'collecting',
  check: 'checking decisions',
  'tear-down': 'tearing down',
};

/** Formats the figures of a repetition for its study. */
export type FiguresOf = (entry: Cell) => string[];

/** Width of the log of a CI job. */
const logColumns = 120;
const separator = ' · ';
/** Without a terminal. */
const maxSilenceMs = 60_000;

export class RunProgress {
  readonly #output: ProgressOutput;
  readonly #figuresOf: FiguresOf;
  readonly #nowMs: () => number;
  #live = '';
  #lineAtMs = 0;
  #endsAtMs = 0;
  #finished = 0;
  #repetitions = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #quiet: boolean;

  constructor(
    output: ProgressOutput,
    figuresOf: FiguresOf,
    { quiet = false, nowMs = Date.now }: { quiet?: boolean | undefined; nowMs?: () => number } = {},
  ) {
    this.#output = quiet ? { write: (text) => output.write(text) } : output;
    this.#figuresOf = figuresOf;
    this.#nowMs = nowMs;
    this.#quiet = quiet;
  }

  onEvent(event: RunEvent): void {
    if (this.#quiet && event.kind !== 'notice' && event.kind !== 'warning') return;
    switch (event.kind) {
      case 'started': {
        this.#count(event);
        const open = event.repetitions - event.finished;
        const kept = event.finished > 0 ? `, ${event.finished} finished before` : '';
        this.#line(
          `${counted(open, 'repetition')} to ${event.source === 'simulated' ? 'simulate' : 'measure'}${kept}, about ${formatSeconds(event.remainingSeconds)} · ${event.runDir}`,
        );
        // A calibration and a search start several times.
        this.#timer ??= setInterval(() => this.#tick(), 1000).unref();
        return;
      }
      case 'phase':
        this.#live = phaseLine(event);
        this.#draw();
        return;
      case 'repetition':
        this.#count(event);
        this.#line(folded(repetitionLine(event, this.#figuresOf), this.#output.columns));
        return;
      case 'probe':
        this.#line(`search: ${describeCell(withoutRate(event.cell))}: ${event.text}`);
        return;
      case 'notice':
        this.#line(`note: ${event.message}`);
        return;
      case 'warning':
        this.#line(`warning: ${event.message}`);
    }
  }

  /** Removes the live line. */
  close(): void {
    clearInterval(this.#timer);
    if (this.#output.isTTY) this.#output.write('\r\x1b[K');
  }

  #count(event: { finished: number; repetitions: number; remainingSeconds: number }): void {
    this.#finished = event.finished;
    this.#repetitions = event.repetitions;
    this.#endsAtMs = this.#nowMs() + event.remainingSeconds * 1000;
  }

  #line(text: string): void {
    this.#lineAtMs = this.#nowMs();
    this.#output.write(this.#output.isTTY ? `\r\x1b[K${text}\n` : `${text}\n`);
    this.#draw();
  }

  #tick(): void {
    if (this.#output.isTTY) this.#draw();
    else if (this.#live !== '' && this.#nowMs() - this.#lineAtMs >= maxSilenceMs) this.#line(this.#liveText());
  }

  #draw(): void {
    if (!this.#output.isTTY || this.#live === '') return;
    this.#output.write(`\r\x1b[K${this.#liveText().slice(0, (this.#output.columns || 80) - 1)}`);
  }

  #liveText(): string {
    const left = Math.max(0, (this.#endsAtMs - this.#nowMs()) / 1000);
    return `${this.#finished}/${this.#repetitions} · ${this.#live} · about ${formatSeconds(left)} left`;
  }
}

/** Continues a line that is too long below its start, broken between its parts, or in a part that no line fits. */
export function folded(line: string, terminalColumns?: number): string {
  // As in `terminal`: it may be 0.
  const columns = terminalColumns || logColumns;
  const [first = '', ...parts] = line.split(separator);
  const lines = [first];
  for (const part of parts) {
    const longer = `${lines.at(-1)}${separator}${part}`;
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(...inWords(part, columns));
  }
  return lines.join('\n');
}

function inWords(text: string, columns: number): string[] {
  const [first = '', ...words] = text.split(' ');
  const lines = [`    ${first}`];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(`    ${word}`);
  }
  return lines;
}

function withoutRate({ rate: _rate, ...others }: FactorLevels): FactorLevels {
  return others;
}

function phaseLine({
  phase,
  cell,
  repetition,
  others = 0,
  detail,
}: {
  phase: Phase;
  cell: FactorLevels;
  repetition: number;
  others?: number;
  detail?: string;
}): string {
  const together = others === 0 ? '' : ` and ${others} more in turns`;
  const number = repetition > 0 ? ` #${repetition}` : '';
  return `${phaseNames[phase]} ${describeCell(cell)}${together}${number}${detail ? ` (${detail})` : ''}`;
}

/** One finished repetition: its figures, and the flags and reasons that qualify them. */
export function repetitionLine(
  { entry, remeasure, finished, repetitions }: RepetitionEvent,
  figuresOf: FiguresOf,
): string {
  const place = `[${String(finished).padStart(String(repetitions).length)}/${repetitions}]`;
  const name = `${place} ${describeCell(entry.factors)} #${entry.repetition}${entry.discarded ? ', measured again' : ''}:`;
  const source = entry.source === 'simulated' ? ['simulated'] : [];
  const line = `${name} ${[...source, ...figuresOf(entry), ...flagTexts([entry])].join(' · ')}`;
  if (entry.validity.valid) return remeasure ? `${line} · will be measured again${reasonToRepeat(entry)}` : line;
  return `${line} · INVALID: ${entry.validity.reasons.join('; ')}${remeasure ? '; will be measured again in this round' : ''}`;
}

function reasonToRepeat({ validity: { flags } }: Cell): string {
  return flags.includes('foreign-load') ? '' : ', with the level that was disturbed';
}

/**
 * `run --find-max`: searches the highest rate of every line (mostly an architecture) that meets a condition, then
 * confirms the rates found. All lines are deployed together; they are searched and confirmed in turns. The run folder
 * has the probes in `run.json` and the confirming repetitions as cells, so that a run continues where it stopped.
 */
import { cellKey, isSteady, predictionSentence } from '@topo-bench/core';
import type { FactorLevels, RateSearch } from '@topo-bench/core/schema/result';
import { linksAloneUs } from '@topo-bench/deployment';
import {
  conditionValueUs,
  isOverload,
  lineOf,
  meets,
  openRun,
  type RunWriter,
  repetitionsToConfirm,
  sustainedRates,
} from '@topo-bench/results';
import { describeProbe, errorShare, type FindMaxResult, findMax, parseCondition } from '@topo-bench/results/find-max';
import type { Effort, ExperimentCell } from '@topo-bench/trial';
import { Deadline } from '../deadline.ts';
import { isFinal } from '../group-measurer.ts';
import type { ResolvedExperiment } from '../resolve-experiment.ts';
import { groupNames } from '../round-plan.ts';
import { Rounds } from '../rounds.ts';
import { endOfRun, type RunOptions, type RunResult, resultOf } from '../run-experiment.ts';
import { newRunRecord } from '../run-record.ts';
import { runSession, type Session } from '../session.ts';
import { Prober } from './prober.ts';
import { firstRates, furtherRates } from './rates-to-confirm.ts';
import { lineKey, linesOf, type SearchLine } from './search-lines.ts';

export interface FindMaxRunOptions extends RunOptions {
  /** E.g. `p95<50ms`; a resumed run has that of its record. */
  condition: string;
  /** No load starts that would end later, and one that takes longer is cut off. Half of it is for the search. */
  maxTimeUs: number;
}

/** Repetitions confirm what a search found, so a finer search than this would cost more time than it shows. */
const precision = 0.1;
/** Min requests of a probe: the 95th percentile of fewer is their maximum. */
const minRequests = 20;
/** A probe this far beyond the bound is not repeated. */
const clearlyBeyond = 2;

/**
 * @param resolved with `deploy: interleaved`, and the open driver
 * @throws TopoBenchError as `runExperiment`, and `TB_LOAD_CONDITION`
 */
export async function runFindMax(resolved: ResolvedExperiment, options: FindMaxRunOptions): Promise<RunResult> {
  const { folder, resume, maxTimeUs } = options;
  const before = resume ? (await openRun(folder)).record : undefined;
  const search = before?.search ?? { condition: parseCondition(options.condition), precision, probes: [] };
  const { experiment, cells } = resolved;
  const repetitions = Math.max(repetitionsToConfirm, experiment.repetitions);
  const confirming = { ...resolved, experiment: { ...experiment, repetitions } };
  const plannedCells = before?.plannedCells ?? [];
  const record = { ...newRunRecord(confirming, { ...options, startedAt: new Date() }), plannedCells, search };
  let effort: Effort | undefined;
  const [writer] = await runSession(
    {
      folders: [{ folder, resume, record, cells }],
      async prepare(backend) {
        effort = await backend.effortOf(cells);
        groupNames(cells, effort);
      },
      async measure(session, [own]) {
        const deadline = new Deadline(session.signal, maxTimeUs);
        const limited = session.within(deadline.signal);
        await new RateSearchRun(confirming, own as RunWriter, limited, { maxTimeUs, effort: effort as Effort }).run(
          deadline,
        );
      },
      ...endOfRun(folder, options.backend),
    },
    options,
  );
  return resultOf(writer as RunWriter);
}

interface SearchOptions {
  maxTimeUs: number;
  effort: Effort;
}

class RateSearchRun {
  readonly #resolved: ResolvedExperiment;
  readonly #writer: RunWriter;
  readonly #session: Session;
  readonly #options: SearchOptions;
  readonly #lines: readonly SearchLine[];
  readonly #startMs = performance.now();
  /** Whether the time limit ended the search of a line. */
  #isCutOff = false;

  constructor(resolved: ResolvedExperiment, writer: RunWriter, session: Session, options: SearchOptions) {
    this.#resolved = resolved;
    this.#writer = writer;
    this.#session = session;
    this.#options = options;
    this.#lines = linesOf(resolved.cells);
  }

  /** Ends normally at the deadline: what was measured until then is the result. */
  async run(deadline: Deadline): Promise<void> {
    try {
      await this.#searchAndConfirm();
    } catch (error) {
      if (!deadline.hasPassed || isFinal(error)) throw error;
      await this.#outOfTime();
    }
  }

  async #searchAndConfirm(): Promise<void> {
    const { outOfTime: _before, ...search } = this.#search;
    await this.#writer.mark('running', { search });
    // After a resume, this replays the recorded loads, and continues where the time limit cut the search off.
    const found = await this.#searchAll();
    if (this.#isCutOff) await this.#outOfTime();
    const all = this.#lines.map((line, at) => ({ line, found: found[at] as FindMaxResult }));
    const beyond = all.filter((one) => this.#isUnreachable(one.line, one.found));
    if (beyond.length > 0) await this.#recordUnreachable(beyond.map(({ line }) => line));
    const open = all.filter((one) => !beyond.includes(one));
    await this.#plan(open.flatMap((one) => this.#levelsAt(one.line, firstRates(one.found))));
    for (;;) {
      const cells = this.#plannedCells();
      if (cells.length === 0) return;
      await this.#confirm(cells);
      const { record } = this.#writer;
      const rates = sustainedRates(search.condition, record.plannedCells, this.#writer.cells);
      const further = rates.flatMap((rate) => {
        const line = this.#lines.find(({ key }) => key === cellKey(rate.line));
        const anyMet = this.#search.probes.some(({ met, factors }) => met && lineKey(factors) === line?.key);
        return line ? this.#levelsAt(line, furtherRates(rate, { precision: search.precision, anyMet })) : [];
      });
      if (this.#writer.missing.length > 0 || (further.length > 0 && this.#isOver(1))) return this.#outOfTime();
      if (further.length === 0) return;
      await this.#plan(further);
    }
  }

  /** The lowest rate failed, and the links alone take longer than the bound. */
  #isUnreachable(line: SearchLine, { rateRps, failedRps }: FindMaxResult): boolean {
    const isBeyond = linksOf(line) >= this.#search.condition.boundUs;
    return isBeyond && rateRps === undefined && failedRps !== undefined;
  }

  async #recordUnreachable(lines: readonly SearchLine[]): Promise<void> {
    const unreachable = lines.map((line) => ({
      factors: lineOf(line.cellAt(line.startRps).levels),
      linksUs: linksOf(line),
    }));
    await this.#writer.mark('running', { search: { ...this.#search, unreachable } });
  }

  get #search(): RateSearch {
    return this.#writer.record.search as RateSearch;
  }

  /** @param share of the time limit, 0…1 */
  #isOver(share: number, secondsOfNext = 0): boolean {
    return (performance.now() - this.#startMs) / 1e3 + secondsOfNext > (share * this.#options.maxTimeUs) / 1e6;
  }

  async #outOfTime(): Promise<void> {
    await this.#writer.mark('running', { search: { ...this.#search, outOfTime: true } });
  }

  #levelsAt({ cellAt }: SearchLine, rates: readonly number[]): FactorLevels[] {
    return rates.map((rate) => cellAt(rate).levels);
  }

  /** Adds the levels that are not planned yet. */
  async #plan(levels: readonly FactorLevels[]): Promise<void> {
    const { plannedCells } = this.#writer.record;
    const known = new Set(plannedCells.map(cellKey));
    const missing = levels.filter((one) => !known.has(cellKey(one)));
    await this.#writer.mark('running', { plannedCells: [...plannedCells, ...missing] });
  }

  #plannedCells(): ExperimentCell[] {
    return this.#writer.record.plannedCells.flatMap((levels) => {
      const line = this.#lines.find(({ key }) => key === lineKey(levels));
      return line ? [line.cellAt(Number(levels.rate))] : [];
    });
  }

  /** All lines at once; each load waits for its turn, so the lines alternate. */
  async #searchAll(): Promise<FindMaxResult[]> {
    const recorded = [...this.#search.probes];
    const members = this.#lines.map(({ cellAt, startRps }) => cellAt(startRps));
    const prober = new Prober(members, recorded.length, this.#session);
    try {
      return await Promise.all(this.#lines.map((line) => this.#searchLine(line, prober, recorded)));
    } finally {
      await prober.close();
    }
  }

  #searchLine(
    { key, startRps, cellAt }: SearchLine,
    prober: Prober,
    recorded: readonly RateSearch['probes'][number][],
  ): Promise<FindMaxResult> {
    // The search is a function of the outcomes of its probes: those of earlier sessions are read, not measured.
    const known = recorded.filter(({ factors }) => lineKey(factors) === key);
    let last: RateSearch['probes'][number] | undefined;
    const { condition } = this.#search;
    const lowestRps = minRequests / (cellAt(startRps).settings.duration / 1e6);
    // With links that alone take longer than the bound, one load at the lowest rate shows whether any rate meets it.
    const isBeyond = linksOf({ cellAt, startRps }) >= condition.boundUs;
    return findMax(
      async (rateRps) => {
        const again = last?.factors.rate === rateRps;
        const isClear = last && last.valueUs > (isBeyond ? 1 : clearlyBeyond) * condition.boundUs;
        if (again && isClear) return false;
        const earlier = known.shift();
        last = earlier?.factors.rate === rateRps ? earlier : await this.#probe(prober, cellAt(rateRps));
        return last.met;
      },
      {
        startRps: isBeyond ? lowestRps : Math.max(startRps, lowestRps),
        lowestRps,
        precision: this.#search.precision,
        stop: () => {
          const isOver = known.length === 0 && this.#isOver(0.5);
          this.#isCutOff ||= isOver;
          return isOver;
        },
      },
    );
  }

  async #probe(prober: Prober, cell: ExperimentCell): Promise<RateSearch['probes'][number]> {
    const { condition } = this.#search;
    return prober.probe(cell, async (entry) => {
      // A late generator does not invalidate a probe: lag can only lengthen the response time.
      const isTimed = isSteady(entry) && !isOverload(entry);
      const isBorne = isTimed && errorShare(entry) <= cell.settings.validity.maxErrorShare;
      const met = isBorne && meets(condition, entry);
      const valueUs = isTimed ? conditionValueUs(condition, entry) : Number.POSITIVE_INFINITY;
      const reasons =
        isSteady(entry) || !entry.prediction ? entry.validity.reasons : [predictionSentence(entry.prediction)];
      const probe = { factors: cell.levels, valueUs, met, reasons };
      await this.#writer.mark('running', { search: { ...this.#search, probes: [...this.#search.probes, probe] } });
      this.#session.emit({ kind: 'probe', cell: cell.levels, text: describeProbe(condition, entry, met) });
      return probe;
    });
  }

  /** Repetitions of all rates, round by round. */
  async #confirm(cells: readonly ExperimentCell[]): Promise<void> {
    const resolved = { ...this.#resolved, cells: [...cells] };
    let [longest, roundMs] = [0, performance.now()];
    const stop = (): boolean => {
      const seconds = (performance.now() - roundMs) / 1e3;
      roundMs = performance.now();
      longest = Math.max(longest, seconds);
      return this.#isOver(1, longest);
    };
    await new Rounds(resolved, this.#writer, this.#session, this.#options.effort).measureAll(stop);
  }
}

/** What the links alone take a request, in µs. */
function linksOf({ cellAt, startRps }: Pick<SearchLine, 'cellAt' | 'startRps'>): number {
  const { graph, plan } = cellAt(startRps);
  return linksAloneUs(graph, plan);
}

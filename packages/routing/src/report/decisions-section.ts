/** Decisions by rule, wrong decisions, and the exposure of refused data. */
import { counted, formatBytes, isEnforced } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { formatCount } from '@topo-bench/report';
import {
  type Content,
  cellsByLevel,
  dataTable,
  folded,
  html,
  type LevelCells,
  type Section,
  section,
} from '@topo-bench/report/html';
import { type ReportModel, sumByKey, sumDecisions, sumOutcomes } from '@topo-bench/report/model';

export function decisionsSection(report: ReportModel): Section {
  const { heading, levels } = cellsByLevel(report);
  return section(
    'decisions',
    'Decisions and exposure',
    verdict(levels.flatMap(({ valid, invalid }) => [...valid, ...invalid])),
    effectsTable(heading, levels),
    html`<h3>Exposure of refused data</h3><p class="note">Bytes of refused or redacted members that a process on the target's node had received before the decision, per 1000 requests and category of data. Under none nothing is refused, and everything goes everywhere.</p>`,
    exposureTable(heading, levels),
    rulesTable(levels),
  );
}

/** Wrong decisions make a repetition invalid, so they are counted over all repetitions. */
function verdict(cells: readonly Cell[]): Content {
  const all = sumDecisions(cells.map(({ decisions }) => decisions));
  const made = all.allow + all.deny + all.redact + all.reroute;
  if (made === 0) return 'No decision was made.';
  return html`<b class="${all.wrong === 0 ? 'good' : 'bad'}">${formatCount(all.wrong)} of ${formatCount(made)} decisions were wrong</b>, as checked by an oracle that reads the rules itself: each step, what each service received, and what was exposed.`;
}

function effectsTable(heading: string, levels: readonly LevelCells[]): Content {
  const columns = [heading, 'requests', 'allow', 'deny', 'redact', 'reroute', 'wrong'].map((name, at) => ({
    heading: name,
    number: at > 0,
  }));
  const rows = levels.map(({ label, valid }) => {
    const { allow, deny, redact, reroute, wrong } = sumDecisions(valid.map(({ decisions }) => decisions));
    return [label, ...[requestsOf(valid), allow, deny, redact, reroute, wrong].map(formatCount)];
  });
  return dataTable('decisions by effect', columns, rows, cellsOf(levels));
}

function exposureTable(heading: string, levels: readonly LevelCells[]): Content {
  const exposed = levels.map(({ label, valid }) => {
    // The architecture `none` sends data everywhere: its exposure is unknown, not 0.
    const enforced = valid.filter(({ factors }) => isEnforced(factors.architecture));
    return {
      label,
      requests: requestsOf(enforced),
      bytes: sumByKey(enforced.map(({ exposureBytes }) => exposureBytes)),
    };
  });
  const categories = [...new Set(exposed.flatMap(({ bytes }) => Object.keys(bytes)))].sort();
  if (categories.length === 0) return html`<p>No refused data had reached the node of its target.</p>`;
  const columns = [heading, ...categories].map((name, at) => ({ heading: name, number: at > 0 }));
  const rows = exposed.map(({ label, requests, bytes }) => [
    label,
    ...categories.map((category) => (requests === 0 ? '–' : formatBytes(((bytes[category] ?? 0) / requests) * 1000))),
  ]);
  return dataTable('exposed bytes per 1000 requests by category', columns, rows, cellsOf(levels));
}

function cellsOf(levels: readonly LevelCells[]): number[][] {
  return levels.map(({ cells }) => cells);
}

function rulesTable(levels: readonly LevelCells[]): Content {
  const counts = levels.map(({ valid }) => sumByKey(valid.map(({ decisions }) => decisions.byRule)));
  const all = Object.entries(sumByKey(counts)).sort(([, a], [, b]) => b - a);
  if (all.length === 0) return undefined;
  const columns = ['rule', ...levels.map(({ label }) => label)].map((name, at) => ({ heading: name, number: at > 0 }));
  const rows = all.map(([rule]) => [rule, ...counts.map((count) => formatCount(count[rule] ?? 0))]);
  return folded(`Decisions by rule (${counted(all.length, 'rule')})`, dataTable('decisions by rule', columns, rows));
}

function requestsOf(cells: readonly Cell[]): number {
  const { completed, refused, error, unfinished } = sumOutcomes(cells.map(({ outcomes }) => outcomes));
  return completed + refused + error + unfinished;
}

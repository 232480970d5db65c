/** The answer of a run with `--find-max` in sentences, one per line. */
import { bottleneckText } from '@topo-bench/comparison';
import { cellKey, describeLevel, formatUs, stateText } from '@topo-bench/core';
import { conditionName, lineOf, repetitionsToConfirm } from '@topo-bench/results';
import { median } from '@topo-bench/stats';
import { settingStart } from '../model/factors.ts';
import type { RateSearchReport, SearchedLine } from './rate-search.ts';

/** The headline first; at least one sentence. */
export function rateSearchSentences(report: RateSearchReport): string[] {
  const { search, isSimulated, lines } = report;
  const { text } = search.condition;
  const found = [...lines.map((line) => lineSentence(report, line)), ...unreachable(report)];
  const setting = settingStart(report.setting, isSimulated);
  const sentences = found.map((sentence) => capitalised(`${setting}${sentence}`));
  const time = search.outOfTime ? ['The time limit ended it; `topo-bench run --resume DIR` continues.'] : [];
  if (sentences.length > 0) return [...sentences, ...time];
  return search.probes.length === 0
    ? [`The search for the max rate with ${text} has not begun.`, ...time]
    : [`No rate is confirmed yet: the search for the max rate with ${text} has not ended.`, ...time];
}

/** Lines whose links alone take longer than the bound, with the load that showed it. */
function unreachable({ search, nameOf }: RateSearchReport): string[] {
  const { condition, probes, unreachable: found = [] } = search;
  return found.map(({ factors, linksUs }) => {
    const key = cellKey(lineOf(factors));
    const probe = probes.find((one) => cellKey(lineOf(one.factors)) === key);
    const seen = probe
      ? `; at ${rate(Number(probe.factors.rate))} ${conditionName(condition)} is ${formatUs(probe.valueUs)}`
      : '';
    return `${nameOf(factors)} meets ${condition.text} at no rate: the links of a request alone take ${formatUs(linksUs)}${seen}.`;
  });
}

function lineSentence({ search }: RateSearchReport, { name, lowRps, highRps, rates, limit }: SearchedLine): string {
  const { text } = search.condition;
  const above = highRps !== undefined && limit ? `no longer at ${rate(highRps)}, where ${bottleneckText(limit)}` : '';
  if (lowRps !== undefined && above !== '') return `${name} meets ${text} at ${rate(lowRps)} and ${above}.`;
  const why = whyOpen(rates);
  if (lowRps !== undefined) {
    return `${name} meets ${text} at ${rate(lowRps)}; the rate at which it no longer does is not shown${why}.`;
  }
  if (above !== '') return `${name} meets ${text} ${above}; a lower rate that meets it is not shown${why}.`;
  return `the rate up to which ${name} meets ${text} is not shown${why}.`;

  function whyOpen(all: typeof rates): string {
    const open = all.filter(({ verdict }) => verdict === 'open');
    const [first] = open;
    if (!first) return '';
    const { prediction } = first.cells[0] ?? {};
    if (prediction?.state === 'near-capacity') return `: at ${rate(first.rateRps)} it is ${stateText(prediction)}`;
    const fewest = Math.min(...open.map(({ valuesUs }) => valuesUs.length));
    if (fewest < repetitionsToConfirm) {
      return `: ${repetitionsToConfirm} repetitions of a rate that can be judged are needed, and ${rate(first.rateRps)} has ${first.valuesUs.length}`;
    }
    if (first.openCount > 0) {
      return `: at ${rate(first.rateRps)} requests left late in ${first.openCount} of ${first.valuesUs.length} repetitions, so their times are upper limits`;
    }
    const value = `${conditionName(search.condition)} is ${formatUs(median(first.valuesUs))}`;
    return `: at ${rate(first.rateRps)} ${value}, and the repetitions are on both sides of the bound`;
  }
}

function rate(rps: number): string {
  return describeLevel('rate', rps);
}

/** Names of lines keep their case. */
function capitalised(sentence: string): string {
  return /^(the|with|in a simulation)\b/.test(sentence)
    ? `${sentence[0]?.toUpperCase()}${sentence.slice(1)}`
    : sentence;
}

/** Valid, invalid and re-measured repetitions, and the flags of valid ones. */
import { counted } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { largestShare, throttledText } from '@topo-bench/results';
import { infiniteText } from '../../figure-text.ts';
import { describeLevels, type Factor } from '../../model/factors.ts';
import { discardedMeasurements } from '../../model/measured-again.ts';
import type { ReportModel } from '../../model/report-model.ts';
import { networkPolicyText } from '../../network-policies.ts';
import { openServiceText } from '../../open-services.ts';
import { privilegeText } from '../../privilege-text.ts';
import { dataTable, folded } from '../data-table.ts';
import { type Content, html } from '../safe-html.ts';
import { type Section, section } from '../section.ts';
import { loadGenerators } from './load-generators.ts';

const meanings = (drainUs: number): Record<string, string> => ({
  'host-saturated': 'the host was idle for less than 5%: differences there are of this machine at its limit',
  'foreign-load':
    'programs other than topo-bench, its services and its database servers had 10% of the processors or more: figures there may be theirs',
  stolen: 'a hypervisor gave 1% of the processors or more to other machines: tails there may be its doing',
  'cpu-throttled':
    'a limit on CPU time (`limits.cpus`) stopped a service for the rest of some periods of 100 ms: tails there are those of the limit, also at low average use',
  'generator-limited':
    'the load generator was busy all the time and the service was not: more load.processes may show more',
  cold: 'throughput had not settled when the warm-up reached its bound',
  overlap:
    'more than 1% of the requests of one level were still open when the turn of the next began: a longer `turns.gap` keeps them apart',
  'open-service':
    'a user-supplied service answers calls past its enforcement point: it must compare `x-topo-token` with `TOPO_BENCH_TOKEN`',
  unfinished: `some requests were still open when the drain ended, or were cut off at the gateway's deadline; they are endless in quantiles, mean and std, shown as ${infiniteText(drainUs)} or more`,
});

export function validitySection(report: ReportModel): Section {
  const { groups } = report;
  const count = (of: (group: (typeof groups)[number]) => number): number =>
    groups.reduce((sum, group) => sum + of(group), 0);
  const valid = count((group) => group.valid.length);
  const invalid = count((group) => group.invalid.length);
  const planned = count((group) => group.planned);
  const open = Math.max(0, planned - valid - invalid);
  const again = groups
    .flatMap((group) => [...group.valid, ...group.invalid])
    .filter(({ discarded }) => discarded).length;
  return section(
    'validity',
    'Validity',
    html`${valid} of ${planned} repetitions are valid${invalid > 0 && html`, <b class="bad">${invalid} invalid</b> and in none of the figures`}${open > 0 && html`, <b>${open} not measured</b>`}${again > 0 && html`; ${counted(again, 'was', 'were')} measured again`}.`,
    excluded(report),
    measuredAgain(report),
    flagged(report),
    privileges(report),
    bypasses(report),
    networkPolicies(report),
    loadGenerators(report),
  );
}

function privileges(report: ReportModel): Content {
  const text = privilegeText(report);
  return text === undefined ? undefined : html`<p>${text}</p>`;
}

function bypasses(report: ReportModel): Content {
  const text = openServiceText(report);
  return text === undefined ? undefined : html`<p class="bad">${text}</p>`;
}

/** The guarantee of enforcement is the token check; the network may be a second one. */
function networkPolicies(report: ReportModel): Content {
  const text = networkPolicyText(report);
  return text === undefined ? undefined : html`<h3>Network policies</h3><p>${text}</p>`;
}

function excluded({ groups, factors }: ReportModel): Content {
  const rows = groups.flatMap((group) =>
    group.invalid.map(({ repetition, validity }) => [
      cellName(factors, group.factors),
      String(repetition),
      validity.reasons.join('; '),
    ]),
  );
  if (rows.length === 0) return undefined;
  return [
    html`<h3>Excluded</h3>`,
    dataTable(
      'excluded repetitions',
      [{ heading: 'cell' }, { heading: 'repetition', number: true }, { heading: 'reasons', text: true }],
      rows,
    ),
  ];
}

function measuredAgain({ groups, factors }: ReportModel): Content {
  const rows = discardedMeasurements(groups).map(({ factors: levels, repetition, reasons, medians }) => [
    cellName(factors, levels),
    String(repetition),
    reasons.join('; '),
    medians,
  ]);
  if (rows.length === 0) return undefined;
  return [
    html`<h3>Measured again</h3><p>Requests left late, or other programs had the processors, and nothing else was wrong. The earlier measurements are in none of the figures; their samples are in <code>samples/discarded</code>.</p>`,
    dataTable(
      'repetitions measured again',
      [
        { heading: 'cell' },
        { heading: 'repetition', number: true },
        { heading: 'reasons', text: true },
        { heading: 'medians', text: true },
      ],
      rows,
    ),
  ];
}

function flagged({ groups, factors, drainUs }: ReportModel): Content {
  const flags = [...new Set(groups.flatMap(({ figures }) => Object.keys(figures?.flags ?? {})))];
  return flags.map((flag) => {
    const cells = groups.filter(({ figures }) => figures?.flags[flag] !== undefined);
    const rows = cells.map((group) => [
      cellName(factors, group.factors),
      `${group.figures?.flags[flag]} of ${group.valid.length}`,
    ]);
    return html`<p><b class="flag">${flag}</b> in ${cells.length} of ${counted(groups.length, 'cell')}${shareText(flag, cells)}: ${inlineCode(meanings(drainUs)[flag] ?? 'valid, with this remark')}.</p>${folded(
      `Cells flagged ${flag}`,
      dataTable(`cells flagged ${flag}`, [{ heading: 'cell' }, { heading: 'repetitions', number: true }], rows),
    )}`;
  });
}

function shareText(flag: string, cells: ReportModel['groups']): string {
  if (flag === 'cpu-throttled') return throttledText(cells.flatMap(({ valid }) => valid));
  const share = largestShare(
    flag,
    cells.flatMap(({ valid }) => valid),
  );
  return share === undefined ? '' : `, up to ${share} of the processors`;
}

/** Levels of the factors that vary; of all factors in a run with one cell. */
function cellName(factors: readonly Factor[], levels: FactorLevels): string {
  const varying = factors.filter((factor) => factor.levels.length > 1);
  return describeLevels(varying.length > 0 ? varying : factors, levels);
}

/** Text with names of fields between backticks, as in Markdown. */
function inlineCode(text: string): Content {
  return text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}

/** Verdicts on the findings of the published study, a row for each claim. */
import { formatRatio, numberColumn, type StudyTable, sentenceColumn, textColumn } from '@topo-bench/report';
import { intervalText } from '@topo-bench/study-kit/interval-text';
import { claimRatio, roundsNeeded } from '@topo-bench/study-kit/published-claims';
import type { StreamCell } from '../stream-cells.ts';
import { judgeFindings } from './judge-findings.ts';

/** Empty for a run without data for any finding. */
export function findingTable(cells: readonly StreamCell[]): StudyTable[] {
  const { findings, withoutData } = judgeFindings(cells);
  if (findings.length === 0) return [];
  return [
    {
      id: 'findings',
      title: 'Findings of the published study',
      note: `Weißbach (2022), with figures of this run, on its databases and at its scale. Ratios of throughput at full speed unless named, over all cells that a claim compares, with exact 95% signed-rank intervals (${roundsNeeded} rounds or more). A ratio above 1 supports the finding. Confirmed: every claim is shown. Refuted: the reverse of one is shown. No data in this run for: ${withoutData.join('; ')}.`,
      columns: [
        textColumn('no.'),
        sentenceColumn('finding'),
        textColumn('here'),
        sentenceColumn('compared'),
        numberColumn('ratio'),
        textColumn('95% interval'),
        numberColumn('rounds'),
      ],
      rows: findings.flatMap(({ number, statement, verdict, claims }) =>
        claims.map((claim, at) => {
          const ratio = claimRatio(claim);
          const interval = ratio.rounds < roundsNeeded ? 'unknown' : intervalText(ratio, formatRatio);
          const head = at === 0 ? [String(number), statement, verdict] : ['', '', ''];
          return [...head, claim.text, formatRatio(ratio.estimate), interval, String(ratio.rounds)];
        }),
      ),
    },
  ];
}

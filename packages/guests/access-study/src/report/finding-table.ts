/** Findings of the published study as a table of texts. Findings without data are one line of the note. */
import { type StudyTable, sentenceColumn, textColumn } from '@topo-bench/report';
import type { AccessCell } from './access-cells.ts';
import type { Finding } from './finding.ts';
import { judgeFindings } from './findings.ts';
import { hasPublishedVariants } from './published-variants.ts';

export function findingTable(cells: readonly AccessCell[]): StudyTable[] {
  if (!hasPublishedVariants(cells)) return [];
  const all = judgeFindings(cells);
  const findings = all.filter(({ evidence }) => evidence.length > 0);
  if (findings.every(({ verdict }) => verdict === 'not testable')) return [];
  const hasOptions = findings.some(({ options }) => options !== '');
  const without = withoutData(all.filter((one) => !findings.some((other) => isSame(one, other))));
  return [
    {
      id: 'findings',
      title: 'Findings of the published study',
      note: `Bodziony, Szóstak, Tarnacki, Wrembel (2026), with figures of this run. Ratios of times over all volumes, with exact 95% signed-rank intervals; of the same rows, the reverse are those of throughput. Confirmed: every claim is shown. Refuted: the reverse of one is shown. JSON is judged where B2 sends the same rows without it. The study publishes charts, not figures.${without && ` No data in this run for: ${without}.`}`,
      columns: [
        textColumn('source'),
        ...(hasOptions ? [textColumn('options')] : []),
        sentenceColumn('finding'),
        textColumn('here'),
        sentenceColumn('evidence'),
      ],
      rows: findings.map(({ source, options, statement, verdict, evidence }) => [
        source,
        ...(hasOptions ? [options] : []),
        statement,
        verdict,
        evidence.join('; '),
      ]),
    },
  ];
}

function isSame(one: Finding, other: Finding): boolean {
  return one.statement === other.statement && one.source === other.source;
}

/** `D is the slowest (PostgreSQL, Parquet); More layers, less speed (Parquet)` */
function withoutData(findings: readonly Finding[]): string {
  const sources = new Map<string, Set<string>>();
  for (const { statement, source } of findings) {
    sources.set(statement, (sources.get(statement) ?? new Set()).add(source));
  }
  return [...sources].map(([statement, of]) => `${statement.replace(/\.$/, '')} (${[...of].join(', ')})`).join('; ');
}

/** The summary as Markdown for a pull request, an issue or a wiki: answer, figures and exclusions of the study. */
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { calibrationTables } from './calibration-table.ts';
import { episodeText } from './episode-text.ts';
import { escapeMarkdown, markdownTables } from './markdown-text.ts';
import { describeLevels } from './model/factors.ts';
import { discardedHeading, discardedMeasurements } from './model/measured-again.ts';
import type { ReportModel } from './model/report-model.ts';
import { networkPolicyText } from './network-policies.ts';
import { openServiceText } from './open-services.ts';
import { predictionTables } from './prediction-table.ts';
import { privilegeText } from './privilege-text.ts';
import type { Report } from './read-report.ts';
import { runnerTables } from './runner-table.ts';

export function renderMarkdown(report: Report): string {
  const title = report.runs.map(({ record }) => record.name).join(' · ');
  const blocks = [
    `## ${escapeMarkdown(title)}`,
    ...report.study.markdown(),
    ...markdownTables(predictionTables(report)),
    ...markdownTables(calibrationTables(report)),
    ...markdownTables(runnerTables(report)),
    ...remarks(report),
    ...excluded(report),
  ];
  return `${blocks.join('\n\n')}\n`;
}

/** One line each. */
function remarks(report: ReportModel): string[] {
  const texts = [episodeText(report), privilegeText(report), openServiceText(report), networkPolicyText(report)];
  return texts.flatMap((text) => (text === undefined ? [] : [escapeMarkdown(text)]));
}

function excluded({ groups, factors }: ReportModel): string[] {
  const line = (levels: FactorLevels, repetition: number, texts: readonly string[]): string =>
    `- ${escapeMarkdown(describeLevels(factors, levels))}, repetition ${repetition}: ${escapeMarkdown(texts.join('; '))}`;
  const invalid = groups.flatMap((group) =>
    group.invalid.map(({ repetition, validity }) => line(group.factors, repetition, validity.reasons)),
  );
  const again = discardedMeasurements(groups).map((one) =>
    line(one.factors, one.repetition, [...one.reasons, one.medians]),
  );
  return [
    ...(invalid.length === 0 ? [] : ['Invalid repetitions, in none of the figures:', invalid.join('\n')]),
    ...(again.length === 0 ? [] : [`${discardedHeading}:`, again.join('\n')]),
  ];
}

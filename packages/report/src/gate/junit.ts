/**
 * The gate as JUnit XML, a format that most CI servers display. Each threshold is a test case. Undecided thresholds are
 * errors, not failures.
 */
import { cellLines, type GateResult, profileHeading, profileLines, type ThresholdResult } from '@topo-bench/comparison';

/** @param allowUndecided reports undecided thresholds as skipped, in line with the exit code */
export function gateJunit(
  { thresholds, notes, profile, subject = 'gate' }: GateResult,
  { allowUndecided = false } = {},
): string {
  const count = (verdict: ThresholdResult['verdict']): number =>
    thresholds.filter((one) => one.verdict === verdict).length;
  const undecided = count('cannot tell');
  const output = [...notes, ...(profile ? [profileHeading(profile), ...profileLines(profile)] : [])];
  const counts = `tests="${thresholds.length}" failures="${count('failed')}" errors="${allowUndecided ? 0 : undecided}" skipped="${allowUndecided ? undecided : 0}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="topo-bench ${subject}" ${counts}>`,
    `  <testsuite name="topo-bench ${subject}" ${counts}>`,
    ...thresholds.flatMap((threshold) => testCase(threshold, allowUndecided)),
    ...(output.length > 0 ? [`    <system-out>${output.map(xmlText).join('\n')}</system-out>`] : []),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function testCase({ threshold, metric, verdict, reason, cells }: ThresholdResult, allowUndecided: boolean): string[] {
  const open = `    <testcase classname="${xmlText(metric)}" name="${xmlText(threshold)}"`;
  const sentence = xmlText(reason);
  const lines = cellLines(cells).map(xmlText);
  if (verdict === 'passed') {
    return [`${open}>`, `      <system-out>${[sentence, ...lines].join('\n')}</system-out>`, '    </testcase>'];
  }
  const element = verdict === 'failed' ? 'failure' : allowUndecided ? 'skipped' : 'error';
  const kind = element === 'skipped' ? '' : ` type="${verdict === 'failed' ? 'threshold' : 'undecided'}"`;
  const output = lines.length > 0 ? [`      <system-out>${lines.join('\n')}</system-out>`] : [];
  return [`${open}>`, `      <${element} message="${sentence}"${kind}/>`, ...output, '    </testcase>'];
}

/** Escapes text and attributes. Characters not allowed in XML 1.0, such as lone surrogates, become U+FFFD. */
export function xmlText(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, '\u{FFFD}')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}

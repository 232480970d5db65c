/**
 * GitHub's workflow commands: lines on standard output that the Actions runner shows as annotations. Escaped as in
 * `actions/toolkit`, packages/core/src/command.ts: unescaped text could close the command and issue another.
 */
import type { GateResult, GateVerdict } from '@topo-bench/comparison';

const levels: Record<Exclude<GateVerdict, 'passed'>, string> = { failed: 'error', 'cannot tell': 'warning' };

/** A line per threshold that did not pass; none for a passed gate. */
export function gateAnnotations({ thresholds }: GateResult): string[] {
  return thresholds.flatMap(({ threshold, verdict, reason }) =>
    verdict === 'passed' ? [] : [`::${levels[verdict]} title=${property(`${threshold}: ${verdict}`)}::${data(reason)}`],
  );
}

function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/**
 * The last line of every program: a TRACE message of type ANALYTICS, which the protocol has for connectors that publish
 * figures of its own. It makes lost output visible, and carries CPU time and memory from any place.
 */
import { readOwnPeakRssBytes } from '@topo-bench/host';
import type { ProgramReport, WorkFigures } from '../launch/launcher.ts';
import type { AirbyteMessage, TraceMessage } from './messages.ts';

const reportType = 'topo-bench-report';
const lineFeed = 10;
const traceStart = Buffer.from('{"type":"TRACE"');

/** @param outputBytes of standard output so far */
export function reportLine(outputBytes: number, figures: WorkFigures): string {
  const { user, system } = process.cpuUsage();
  const report: ProgramReport = { outputBytes, cpuUs: user + system, maxRssBytes: readOwnPeakRssBytes(), ...figures };
  const analytics = { type: reportType, value: JSON.stringify(report) };
  const message: AirbyteMessage = { type: 'TRACE', trace: { type: 'ANALYTICS', emitted_at: Date.now(), analytics } };
  return `${JSON.stringify(message)}\n`;
}

export interface OutputEnd {
  report?: ProgramReport;
  /** Length of the report's line with its line feed; 0 without a report. */
  reportBytes: number;
  /** Message of the last TRACE error. */
  failure?: string;
}

/** @param tail last bytes of an output; it may begin within a line */
export function reportOf(tail: Buffer): OutputEnd {
  const lines = tail.toString().split('\n');
  // Text after the last line feed is a line that was cut off.
  const whole = lines.slice(0, -1).map(traceOf);
  const failure = whole.findLast((trace) => trace?.type === 'ERROR');
  const message = failure?.error?.message;
  const last = lines.at(-1) === '' ? whole.at(-1) : undefined;
  const analytics = last?.analytics;
  const said = message === undefined ? {} : { failure: message };
  if (analytics?.type !== reportType) return { reportBytes: 0, ...said };
  const reportBytes = Buffer.byteLength(lines.at(-2) ?? '') + 1;
  return { report: JSON.parse(analytics.value ?? '') as ProgramReport, reportBytes, ...said };
}

/** Whether the report is the last line. Cheap for the output of records. @param tail as `reportOf` */
export function endsWithReport(tail: Buffer): boolean {
  if (tail.at(-1) !== lineFeed) return false;
  const start = tail.lastIndexOf(lineFeed, -2) + 1;
  return tail.subarray(start, start + traceStart.length).equals(traceStart) && reportOf(tail).report !== undefined;
}

function traceOf(line: string): TraceMessage | undefined {
  if (!line.startsWith(String(traceStart))) return undefined;
  try {
    return (JSON.parse(line) as { trace: TraceMessage }).trace;
  } catch {
    return undefined;
  }
}

/** Provenance of the figures: machine, versions, seed, and the command that repeats the run. */
import { basename, resolve } from 'node:path';
import { counted, formatBytes, type RunFolder, shellLine } from '@topo-bench/core';
import type { RunRecord } from '@topo-bench/core/schema/result';
import type { ReportModel } from '../../model/report-model.ts';
import { simulatedMachine } from '../../simulated-text.ts';
import { folded } from '../data-table.ts';
import { type Content, html } from '../safe-html.ts';
import { type Section, section } from '../section.ts';

/** Max characters of JSON in the page; for longer JSON, the page refers to `run.json`. */
const maxJson = 100_000;

export function provenanceSection({ runs }: ReportModel): Section {
  return section('provenance', 'How to repeat this', undefined, runs.map(ofRun));
}

function ofRun({ folder, record }: RunFolder): Content {
  const { environment, seed, name, status, startedAt, finishedAt, failure } = record;
  const rows: [string, Content][] = [
    ['run', html`${name}, ${status}${failure && html`: ${failure}`}`],
    ['folder', html`<code>${basename(resolve(folder))}</code>`],
    ['started', html`<time datetime="${startedAt}">${readableTime(startedAt)}</time>`],
    [
      'finished',
      finishedAt === undefined
        ? 'not finished'
        : html`<time datetime="${finishedAt}">${readableTime(finishedAt)}</time>`,
    ],
    ['seed', String(seed)],
    ...simulationOf(record),
    ['processor', `${environment.cpuModel}, ${coresText(environment.cores)}`],
    ['memory', formatBytes(environment.memoryBytes)],
    [
      'system',
      `${environment.platform} ${environment.arch}, kernel ${environment.kernel}, machine ${environment.hostname}`,
    ],
    ['versions', `topo-bench ${environment.topoBench}, Node.js ${environment.node}`],
  ];
  return html`<pre class="command"><code>${commandOf(record)}</code></pre>
<dl>${rows.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>
${folded('Resolved experiment', json(record.experiment))}${folded('Resolved topology', json(record.topology))}`;
}

function simulationOf({ simulation }: RunFolder['record']): [string, Content][] {
  if (!simulation) return [];
  const { calibration, assumed, sha256 } = simulation;
  const text = `${calibration}${assumed ? ' (assumed, not fitted)' : ''}: ${simulatedMachine(simulation)}`;
  return [['simulated for', html`${text} <code>${sha256.slice(0, 12)}</code>`]];
}

function coresText(cores: number): string {
  return counted(cores, 'core');
}

function json(value: unknown): Content {
  const text = JSON.stringify(value, undefined, 2) ?? 'none';
  return text.length > maxJson
    ? html`<p>Too long to show: see run.json.</p>`
    : html`<pre tabindex="0"><code>${text}</code></pre>`;
}

/** The command of the run, quoted for a shell. */
function commandOf({ command }: RunRecord): string {
  const words = command[0] === 'topo-bench' ? command.slice(1) : command;
  return shellLine(['npx', 'topo-bench', ...words]);
}

export function readableTime(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

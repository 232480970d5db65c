/**
 * Options that have no effect in company of others. They are refused by name: an ignored option gives an answer to
 * another question than the one that was asked. Only options of the command line count; a variable such as
 * TOPO_BENCH_CONTEXT is there for every verb.
 */
import { localRunner, TopoBenchError } from '@topo-bench/core';
import type { Command } from 'commander';
import type { CalibrateFlags } from './commands/calibrate/options.ts';
import type { ConfirmFlags } from './commands/confirm/options.ts';
import type { GateFlags } from './commands/gate/options.ts';
import type { GenerateFlags } from './commands/generate/options.ts';
import type { LoadFlags } from './commands/load/options.ts';
import type { ReportFlags } from './commands/report/options.ts';
import type { RunFlags } from './commands/run/options.ts';
import type { SimulateFlags } from './commands/simulate/options.ts';
import type { UpFlags } from './commands/up/options.ts';

interface Refusal<Flags> {
  options: readonly (keyof Flags & string)[];
  /** What they have no effect with, as the user wrote it. */
  with: string;
  when(flags: Flags): boolean;
  why: string;
}

const engine = ['image', 'baseImage', 'context'] as const;
const whyLocal = 'processes of this machine need no image and no engine';

const ofLoad: readonly Refusal<LoadFlags>[] = [
  {
    options: ['rate', 'arrivals', 'seed', 'findMax'],
    with: '--driver autocannon',
    when: ({ driver }) => driver === 'autocannon',
    why: 'a closed model has no schedule: each connection sends again when it has its response',
  },
  {
    options: ['connections'],
    with: '--driver open',
    when: ({ driver }) => driver === 'open',
    why: 'an open model opens as many connections as its schedule needs',
  },
  {
    options: ['seed'],
    with: '--arrivals constant',
    when: ({ arrivals }) => arrivals === 'constant',
    why: 'only Poisson arrivals are drawn',
  },
  {
    options: ['processes'],
    with: '--connections',
    when: ({ driver, processes = 1, connections }) => driver === 'autocannon' && processes > connections,
    why: 'the processes share the connections, at least one each',
  },
  {
    options: ['findMax'],
    with: '--rate',
    when: ({ rate }) => rate?.toRps !== undefined,
    why: 'got a ramp, expected the one rate at which the search begins',
  },
  {
    options: ['body'],
    with: '--body-file',
    when: ({ bodyFile }) => bodyFile !== undefined,
    why: 'got two bodies, expected one',
  },
  {
    options: ['ca'],
    with: '--insecure',
    when: ({ insecure = false }) => insecure,
    why: 'no certificate is checked',
  },
];

const ofRun: readonly Refusal<RunFlags>[] = [
  {
    options: ['probe'],
    with: 'a run that measures',
    when: ({ dryRun = false }) => !dryRun,
    why: 'only --dry-run probes',
  },
];

const ofGate: readonly Refusal<GateFlags>[] = [
  {
    options: ['runner', ...engine],
    with: 'run folders',
    when: ({ experiment }) => experiment === undefined,
    why: 'only --experiment measures',
  },
  {
    options: ['maxTime'],
    with: 'run folders',
    when: ({ experiment, selfTest = false }) => experiment === undefined && !selfTest,
    why: 'only --experiment measures, and --self-test answers for that time',
  },
];

const ofUp: readonly Refusal<UpFlags>[] = [
  {
    options: engine,
    with: `--runner ${localRunner}`,
    when: ({ runner = localRunner }) => runner === localRunner,
    why: whyLocal,
  },
];

const ofGenerate: readonly Refusal<GenerateFlags>[] = [
  {
    options: ['image', 'build', 'baseImage', 'context'],
    with: `--target ${localRunner}`,
    when: ({ target }) => target === localRunner,
    why: whyLocal,
  },
  {
    options: ['baseImage', 'context'],
    with: 'files alone',
    when: ({ build = false }) => !build,
    why: 'only --build builds an image',
  },
];

const ofReport: readonly Refusal<ReportFlags>[] = [
  {
    options: ['format', 'json', 'list'],
    with: '--summary',
    when: ({ summary = false }) => summary,
    why: 'the summary is one page',
  },
  {
    options: ['pricePerCoreHour'],
    with: 'a form without costs',
    when: ({ json = false, format, list = false }) => list || json || !['html', 'md'].includes(format),
    why: 'costs are on the page, in the summary, and in Markdown',
  },
  {
    options: ['format'],
    with: '--json',
    when: ({ json = false, format }) => json && format !== 'json',
    why: 'got two formats, expected one',
  },
  {
    options: ['rows'],
    with: 'another format',
    when: ({ json = false, format }) => json || !['csv', 'parquet'].includes(format),
    why: 'only --format csv and parquet have rows',
  },
  {
    options: ['published'],
    with: '--format json',
    when: ({ json = false, format }) => json || format === 'json',
    why: 'the document has the records of the runs alone',
  },
];

const ofConfirm: readonly Refusal<ConfirmFlags>[] = [
  {
    options: [...engine, 'maxTime', 'out'],
    with: '--premises-only',
    when: ({ premisesOnly = false }) => premisesOnly,
    why: 'nothing is measured',
  },
  {
    options: [...engine, 'maxTime', 'out'],
    with: '--run',
    when: ({ run }) => run !== undefined,
    why: 'the thresholds are judged on that run',
  },
  {
    options: ['foreignCalibration'],
    with: 'a measurement',
    when: ({ calibration }) => calibration === undefined,
    why: 'only --calibration simulates',
  },
];

const ofSimulate: readonly Refusal<SimulateFlags>[] = [
  {
    options: ['out', 'precision', 'published', 'maxTime'],
    with: '--sensitivity',
    when: ({ sensitivity = false }) => sensitivity,
    why: 'assumptions are ranked without a run folder, in as many repetitions as asked for',
  },
  {
    options: ['published'],
    with: '--break-even',
    when: ({ breakEven }) => breakEven !== undefined,
    why: 'no published median has these levels',
  },
  {
    options: ['maxTime'],
    with: 'a simulation without --find-max',
    when: ({ findMax }) => findMax === undefined,
    why: 'only a search has a limit of time',
  },
];

const ofCalibrate: readonly Refusal<CalibrateFlags>[] = [
  {
    options: ['quick'],
    with: '--resume',
    when: ({ resume }) => resume !== undefined,
    why: 'the folder has the design that it was begun with',
  },
];

const refusals: Readonly<Record<string, readonly Refusal<never>[]>> = {
  load: ofLoad,
  run: ofRun,
  gate: ofGate,
  up: ofUp,
  generate: ofGenerate,
  report: ofReport,
  confirm: ofConfirm,
  simulate: ofSimulate,
  calibrate: ofCalibrate,
};

/** @throws TopoBenchError `TB_USAGE` */
export function requireNoIgnored(verb: string, command: Command): void {
  for (const { options, with: others, when, why } of refusals[verb] ?? []) {
    if (!when(command.opts() as never)) continue;
    const ignored = command.options.find(
      (option) =>
        (options as readonly string[]).includes(option.attributeName()) &&
        command.getOptionValueSource(option.attributeName()) === 'cli',
    );
    if (ignored) {
      throw new TopoBenchError('TB_USAGE', `${ignored.long} with ${others}: ${why}`, {
        hint: `leave out ${ignored.long}; see topo-bench ${verb} --help`,
      });
    }
  }
}

/** Simulates the experiment, and writes down what it predicts for each cell. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { baselinesOf, judgedFigures, measuredValue, minRequestsForP99 } from '@topo-bench/comparison/predictions';
import { cellKey, counted, formatLocation, groupedBy } from '@topo-bench/core';
import type { FittedCell } from '@topo-bench/core/schema/calibration';
import type { PredictedFigures, RegisteredCell } from '@topo-bench/core/schema/predictions';
import type { CalibrationUncertainty, Cell } from '@topo-bench/core/schema/result';
import { median } from '@topo-bench/stats';
import { open } from '@topo-bench/workbench';
import { calibrationFor } from '../../calibration-files.ts';
import { choicesOf } from '../../choices.ts';
import { interruptible } from '../../interrupt.ts';
import { settingOf } from '../../measuring.ts';
import { note, printJson, printLine, progressLine, setQuiet } from '../../output.ts';
import { digestOfInputs, registerPredictions, requireNewFile } from '../../predictions-file.ts';
import { findFile } from '../../shipped-files.ts';
import { simulatedBackendOf } from '../../simulating.ts';
import { version } from '../../version.ts';
import type { PredictFlags } from './options.ts';

export async function action(experiment: string, flags: PredictFlags): Promise<void> {
  const { register, json, quiet = false, ...choices } = flags;
  setQuiet(quiet);
  await requireNewFile(register);
  const found = await calibrationFor(flags);
  const { calibration, sha256 } = found;
  const folder = await mkdtemp(join(tmpdir(), 'topo-bench-predict-'));
  try {
    const bench = await open({ experiment: await findFile('experiments', experiment) }, choicesOf(choices));
    for (const { message, ...place } of bench.resolved.warnings) note(`warning: ${formatLocation(place)}: ${message}`);
    const backend = await simulatedBackendOf(choices, found);
    progressLine(`simulating ${counted(bench.cells.length, 'cell')}`);
    const { record, cells } = await interruptible(
      (signal) => bench.run({ ...settingOf({}, backend), folder: join(folder, 'run'), signal }),
      'interrupted: nothing is registered',
    );
    const { name, machine, fit } = calibration;
    const cluster = record.simulation?.cluster;
    const cores = cluster?.hosts.reduce((sum, host) => sum + host.cores, 0) ?? calibration.cores;
    const groups = groupedBy(cells, ({ factors }) => cellKey(factors));
    const registered = await registerPredictions(register, {
      ...{
        apiVersion: 'topo-bench/v1',
        kind: 'Predictions',
        createdAt: new Date().toISOString(),
        topoBench: version(),
      },
      calibration: { name, sha256, machine, disturbed: fit?.quietness.disturbed ?? false },
      ...(cluster && { cluster: { name: cluster.name, sha256: cluster.sha256 } }),
      machines: { cores, ...(fit && { cpuModel: fit.cpuModel }) },
      experiment: { name: record.name, inputsSha256: digestOfInputs(record) },
      cells: [...groups.values()].map((entries) => registeredCell(entries, fit?.cells ?? [])),
    });
    if (json) return printJson(registered);
    printLine(`${counted(registered.cells.length, 'prediction')} registered, ${registered.createdAt}`);
    const without = registered.cells.filter(({ predicted }) => predicted.medianUs === null).length;
    if (without > 0) printLine(`${counted(without, 'cell')} without a statement on RTT: no request completes there`);
    const few = registered.cells.filter(
      ({ predicted }) => predicted.medianUs !== null && predicted.p99Us === null,
    ).length;
    if (few > 0) {
      const why = `a repetition completes fewer than ${minRequestsForP99} requests, or more than 1% of them do not end`;
      printLine(`${counted(few, 'cell')} without a statement on p99: ${why}`);
    }
    printLine(`calibration ${name} ${sha256.slice(0, 12)}, inputs ${registered.experiment.inputsSha256.slice(0, 12)}`);
    printLine(`predictions: ${register} ${registered.sha256.slice(0, 12)}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** @param entries simulated repetitions of one cell */
function registeredCell(entries: readonly Cell[], calibrated: readonly FittedCell[]): RegisteredCell {
  const first = entries[0] as Cell;
  const intervals = intervalsOf(entries.flatMap(({ calibrationUncertainty }) => calibrationUncertainty ?? []));
  return {
    factors: first.factors,
    predicted: Object.fromEntries(
      judgedFigures.map((figure) => [figure, finite(median(entries.map((entry) => measuredValue(entry, figure))))]),
    ) as unknown as PredictedFigures,
    ...(intervals && { intervals }),
    busyShare: 1 - (first.resources.host?.idlePercent ?? 0) / 100,
    baselines: baselinesOf(first, calibrated),
  };
}

function intervalsOf(uncertain: readonly CalibrationUncertainty[]): RegisteredCell['intervals'] {
  if (uncertain.length === 0) return undefined;
  const both = (of: (one: CalibrationUncertainty) => readonly [number, number]): [number, number] => [
    median(uncertain.map((one) => of(one)[0])),
    median(uncertain.map((one) => of(one)[1])),
  ];
  return {
    medianUs: both(({ medianUs }) => medianUs),
    p95Us: both(({ p95Us }) => p95Us),
    cpuUs: both(({ cpuUsPerRequest }) => cpuUsPerRequest),
  };
}

/** Null: no statement, such as a quantile of requests that never finish. */
function finite(us: number): number | null {
  return Number.isFinite(us) ? us : null;
}

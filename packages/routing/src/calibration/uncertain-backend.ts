/** A simulating backend whose cells state how far they may be off, since their calibration was fitted. */
import { cellKey } from '@topo-bench/core';
import type { Calibration, CalibrationFit } from '@topo-bench/core/schema/calibration';
import type { Cell } from '@topo-bench/core/schema/result';
import { type RelativeUncertainty, relativeUncertainty, uncertaintyAround } from '@topo-bench/simulator/fit';
import type { Backend, ExperimentCell, MeasuredRepetition } from '@topo-bench/trial';
import { modelledCell } from './measured-cell.ts';

/** Unchanged for a calibration that was written by hand. */
export function withUncertainty(backend: Backend, calibration: Calibration): Backend {
  const { fit } = calibration;
  if (!fit) return backend;
  const fitted = { ...calibration, fit };
  const known = new Map<string, RelativeUncertainty>();
  const stated = async (cell: ExperimentCell, measured: MeasuredRepetition): Promise<MeasuredRepetition> => {
    const { entry } = measured;
    if (entry.rtt.count === 0 || entry.source !== 'simulated') return measured;
    // The fit knows one machine: how far it is off on a cluster is not known.
    if (entry.prediction?.cluster !== undefined) return measured;
    const key = cellKey(cell.levels);
    const relative = known.get(key) ?? (await relativeOf(cell, entry, fitted));
    known.set(key, relative);
    const figures = {
      medianUs: entry.rtt.medianUs,
      p95Us: entry.rtt.p95Us,
      cpuUs: entry.cpuUsPerRequest.total ?? Number.NaN,
    };
    const uncertainty = uncertaintyAround(relative, figures);
    return uncertainty ? { ...measured, entry: { ...entry, calibrationUncertainty: uncertainty } } : measured;
  };
  return {
    ...backend,
    async deploy(cell, context) {
      const bed = await backend.deploy(cell, context);
      return {
        measure: async (measured, repetition, at) => stated(measured, await bed.measure(measured, repetition, at)),
        recover: (next, at) => bed.recover(next, at),
        close: () => bed.close(),
      };
    },
    async deployTogether(cells, context, options) {
      const bed = await backend.deployTogether(cells, context, options);
      return {
        async measure(measured, repetition, at) {
          const repetitions = await bed.measure(measured, repetition, at);
          return Promise.all(repetitions.map((one, i) => stated(measured[i] as ExperimentCell, one)));
        },
        recover: (next, at) => bed.recover(next, at),
        close: () => bed.close(),
      };
    },
  };
}

async function relativeOf(
  cell: ExperimentCell,
  { repetition, hops }: Cell,
  calibration: Calibration & { fit: CalibrationFit },
): Promise<RelativeUncertainty> {
  const { warmup } = cell.settings;
  const modelled = await modelledCell(cell, repetition, calibration.cores, warmup.requests);
  return relativeUncertainty(modelled, calibration, hops.perRequest);
}

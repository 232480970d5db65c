/** `simulate` of the MCP server: every figure has the interval that is known of it, and the state of its cell. */
import { cellKey } from '@topo-bench/core';
import type { FactorLevels } from '@topo-bench/core/schema/result';
import { openRun } from '@topo-bench/results';
import { describe, expect, it } from 'vitest';
import { runAnswer } from '../../../src/commands/mcp/run-answer.ts';
import { simulate } from '../../../src/commands/mcp/tools/measure.ts';
import { mcpFolder } from '../../fixtures/mcp-folder.ts';

const folder = mcpFolder();
let calls = 0;

interface Figure {
  medianMs: number | null;
  interval95Ms: (number | null)[];
  predicted95Ms?: number[];
}
interface Answer {
  source: string;
  error?: string;
  intervals: string[];
  runDir: string;
  cells: {
    factors: FactorLevels;
    state: string;
    bottleneck: object;
    maxRps: number;
    rttMedian: Figure;
    rttP95: Figure;
  }[];
}

async function simulated(set: Record<string, unknown>): Promise<Answer> {
  const only = { architecture: ['sidecar'] };
  const experiment = folder.experiment(`shop-${++calls}.yaml`);
  const asked = { experiment, calibration: 'assumed-two-cores', set, only, repetitions: 2, maxSeconds: 60 };
  return (await simulate(asked, await folder.context())) as Answer;
}

describe('simulate of the MCP server', () => {
  it('has the intervals of the prediction where two repetitions have none', async () => {
    const { source, error, intervals, runDir, cells } = await simulated({});
    expect([source, error]).toEqual(['simulated', expect.stringContaining('unknown')]);
    expect(intervals).toEqual([expect.stringMatching(/without the error of the calibration$/)]);
    const { cells: entries } = await openRun(runDir);
    expect(cells).toHaveLength(1);
    for (const { factors, state, bottleneck, maxRps, rttMedian, rttP95 } of cells) {
      const prediction = entries.find((entry) => cellKey(entry.factors) === cellKey(factors))?.prediction;
      expect(state).toBe('stable');
      expect([bottleneck, maxRps]).toEqual([prediction?.bottleneck, prediction?.maxRps]);
      const inMs = (us: number): number => Number((us / 1e3).toPrecision(4));
      expect(rttMedian.predicted95Ms).toEqual(prediction?.medianUs?.map(inMs));
      expect(rttP95.predicted95Ms).toEqual(prediction?.p95Us?.map(inMs));
      expect(rttMedian.medianMs).toBeGreaterThan(0);
    }
  });

  it('has the error of a fitted calibration', async () => {
    const { runDir } = await simulated({ seed: 2 });
    const run = await openRun(runDir);
    const calibrationUncertainty = {
      ...{ confidence: 0.9, medianUs: [1000, 2000], p95Us: [3000, 4000], cpuUsPerRequest: [1, 2] },
      ...{ draws: 10, distance: 0, heldOutErrors: { cells: 3, medianPercent: 4 } },
    };
    const cells = run.cells.map((cell) => ({ ...cell, calibrationUncertainty }));
    const answer = await runAnswer({ ...run, cells, report: async () => ({ study: {} }) } as never);
    expect(answer).toMatchObject({
      intervals: [expect.any(String), 'withCalibrationMs has that error, with a confidence of 90%'],
      cells: [{ rttMedian: { withCalibrationMs: [1, 2] }, rttP95: { withCalibrationMs: [3, 4] } }],
    });
  });

  it('names the state of a cell without a figure', async () => {
    const { cells } = await simulated({ rate: 100_000 });
    const none = { medianMs: null, interval95Ms: [null, null] };
    expect(cells[0]).toMatchObject({ state: 'unstable', rttMedian: none, rttP95: none });
    expect(cells[0]?.rttMedian).not.toHaveProperty('predicted95Ms');
  });
});

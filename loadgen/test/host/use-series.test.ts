import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { readTreePssBytes, readTreeUse } from '@topo-bench/host';
import { describe, expect, it } from 'vitest';
import { type GroupReading, UseRecorder } from '../../src/host/use-series.ts';

const burning = `const end = Date.now() + 60000; while (Date.now() < end);`;
/** A parent that idles and has a child which burns CPU. */
const parentOfBurner = `
  require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(burning)}], { stdio: 'ignore' });
  process.on('SIGTERM', () => process.exit());
  console.log('ready'); setInterval(() => {}, 1000);
`;

describe('the use of resources of a tree of processes', () => {
  it('counts children, as a series whose mean fits its total', async () => {
    const parent = spawn(process.execPath, ['-e', parentOfBurner], {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    });
    try {
      await new Promise((resolve) => parent.stdout.once('data', resolve));
      const roots = [parent.pid as number];
      const recorder = new UseRecorder(async ({ pss }): Promise<Record<string, GroupReading>> => {
        const [tree, pssBytes] = [readTreeUse(roots), pss ? readTreePssBytes(roots) : undefined];
        return tree ? { tree: { ...tree, ...(pssBytes !== undefined && { pssBytes }) } } : {};
      });
      await sleep(1800);
      const use = await recorder.stop();
      expect(Object.keys(use)).toEqual(['tree']);
      const { processes, cpuPercent, rssBytes, pssBytes, series } = use.tree as NonNullable<typeof use.tree>;
      expect(processes).toBe(2);
      // The child wants a whole core; how much of one it gets is the machine's affair.
      expect(cpuPercent).toBeGreaterThan(1);
      expect(cpuPercent).toBeLessThan(250);
      expect(rssBytes).toBeGreaterThan(20e6);
      expect(pssBytes).toBeGreaterThan(1e6);
      expect(series.atMs.length).toBeGreaterThanOrEqual(2);
      expect(series.cpuPercent).toHaveLength(series.atMs.length);
      const weights = series.atMs.map((at, i) => at - (series.atMs[i - 1] ?? 0));
      const total = series.cpuPercent.reduce((sum, value, i) => sum + value * (weights[i] as number), 0);
      expect(total / (series.atMs.at(-1) as number)).toBeCloseTo(cpuPercent, -1);
    } finally {
      process.kill(-(parent.pid as number), 'SIGKILL');
    }
  });

  it('of missing processes is unknown', () => {
    expect(readTreeUse([2 ** 22 + 1])).toBeUndefined();
  });
});

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readHostEnvironment } from '@topo-bench/host';
import { afterEach, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import { calibrationFolder, calibrationOrAssumed } from '../src/calibration-files.ts';

afterEach(() => vi.unstubAllEnvs());

it('the workshop takes the calibration of this machine, and assumptions where there is none', async () => {
  vi.stubEnv('XDG_DATA_HOME', temporaryFolder());
  expect((await calibrationOrAssumed({})).calibration.assumed).toBe(true);
  const shipped = readFileSync(new URL('../../../calibrations/assumed-two-cores.yaml', import.meta.url), 'utf8');
  const { cpuModel, node } = readHostEnvironment();
  const errors = { cells: 0 };
  const fit = {
    ...{ cpuModel, node, topoBench: '1.2.3', date: '2026-01-01T00:00:00Z', runs: [], parameters: [], covariance: [] },
    quietness: { foreignPercent: 0, stolenPercent: 0, disturbed: false },
    range: { hops: [1, 2], turnsPerSecond: [1, 2], busyShare: [0, 1] },
    ...{ cells: [], fitErrors: errors, heldOutErrors: errors },
  };
  mkdirSync(calibrationFolder(), { recursive: true });
  const foreign = { ...parse(shipped), name: 'theirs', assumed: false, fit: { ...fit, cpuModel: 'M9' } };
  writeFileSync(join(calibrationFolder(), 'theirs.json'), JSON.stringify(foreign));
  const none = await calibrationOrAssumed({});
  expect([none.calibration.assumed, none.remarks]).toEqual([
    true,
    [expect.stringMatching(/^There is no calibration of .*, found only theirs of M9 with Node\.js \d+\.$/)],
  ]);
  const own = { ...parse(shipped), name: 'own', assumed: false, fit };
  writeFileSync(join(calibrationFolder(), 'own.json'), JSON.stringify(own));
  const { calibration, remarks } = await calibrationOrAssumed({});
  expect(calibration.name).toBe('own');
  expect(remarks.join(' ')).toContain('It was measured by topo-bench 1.2.3: this is ');
  await expect(calibrationOrAssumed({ calibration: 'nowhere' })).rejects.toThrow('nowhere');
});

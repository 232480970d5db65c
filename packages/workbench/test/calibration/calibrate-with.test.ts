import type { Calibration } from '@topo-bench/core/schema/calibration';
import { expect, it } from 'vitest';
import { calibrateWith } from '../../src/calibration/calibrate-machine.ts';

it('names runs of a calibration that are gone, before it fits anything', async () => {
  const demand = {} as never;
  const fit = { runs: ['runs/gone/cells'], cells: [] } as never;
  const known = { name: 'own', demand, fit } as unknown as Calibration;
  const { signal } = new AbortController();
  await expect(calibrateWith(known, [], { prior: known, version: '1.2.3', quick: true, signal })).rejects.toMatchObject(
    {
      code: 'TB_CALIBRATION_LACKS',
      message: 'the runs of own are gone: got no runs/gone/cells',
    },
  );
});

/** What a proof answers, and which proofs are added to a calibration. */
import { TopoBenchError } from '@topo-bench/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import type { JobEvent } from '../src/browser/server-api.ts';
import { askJob, calibratorInMemory, fitted, openWorkshop } from './fixtures/opened-workshop.ts';
import { generated } from './fixtures/question.ts';

const before = process.cwd();
beforeAll(() => process.chdir(temporaryFolder()));
afterAll(() => process.chdir(before));

const prove = (url: string): Promise<JobEvent[]> =>
  askJob(url, 'prove', {
    ...{ architecture: 'none', texts: { topology: generated } },
    settings: { rate: 10, cores: 2, machines: 'one' },
  });

it('adds a proof after one that could not be added, and none without a calibration', async () => {
  const asked: number[] = [];
  const calibrator: typeof calibratorInMemory = {
    ...calibratorInMemory,
    fit: async (_, folders) => {
      asked.push(folders.length);
      if (asked.length === 2) throw new TopoBenchError('TB_CALIBRATION_DISTURBED', 'other programs used it');
      return { calibration: fitted(folders), file: 'own.json' };
    },
  };
  const none = await openWorkshop({ calibrator });
  expect((await prove(none.server.url)).at(-1)).toMatchObject({
    ...{ kind: 'not-added', message: 'nothing is calibrated here' },
    hint: expect.stringContaining('Calibrate this machine'),
  });
  const { server } = await openWorkshop({ calibrator, calibration: fitted([]) });
  const kinds: unknown[] = [];
  for (let proof = 0; proof < 3; proof++) kinds.push((await prove(server.url)).at(-1)?.kind);
  expect([kinds, asked]).toEqual([
    ['calibrated', 'not-added', 'calibrated'],
    [1, 2, 2],
  ]);
});

it('names the reason where no repetition is valid, and what valid ones are marked with', async () => {
  const broken = await openWorkshop({ fake: { isBroken: () => true } });
  expect((await prove(broken.server.url)).at(-1)).toMatchObject({
    ...{ kind: 'failed', message: 'no repetition is valid: died during the repetition: pricing' },
    hint: expect.stringContaining('prove it again'),
  });
  const busy = await openWorkshop({ fake: { isForeign: () => true } });
  const measured = (await prove(busy.server.url)).find(({ kind }) => kind === 'measured');
  expect(measured).toMatchObject({ cell: { repetitions: 6, flags: ['foreign-load'] } });
});

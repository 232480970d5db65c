/** Proofs that are added to a calibration, and those that are not. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { expect, it } from 'vitest';
import { temporaryFolder } from '../../../test/fixtures/small-files.ts';
import type { JobEvent } from '../src/browser/server-api.ts';
import { calibratorInMemory, fitted, openWorkshop } from './fixtures/opened-workshop.ts';
import { generated } from './fixtures/question.ts';

const folder = temporaryFolder();

async function prove(url: string): Promise<JobEvent | undefined> {
  // Run folders are named by the second.
  process.chdir(mkdtempSync(join(folder, 'proof-')));
  const answer = await fetch(`${url}prove`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: new URL(url).origin },
    body: JSON.stringify({
      ...{ architecture: 'none', texts: { topology: generated } },
      settings: { rate: 10, cores: 2, machines: 'one' },
    }),
  });
  return JSON.parse((await answer.text()).trim().split('\n').at(-1) as string) as JobEvent;
}

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
  const before = process.cwd();
  try {
    const none = await openWorkshop({ calibrator });
    expect(await prove(none.server.url)).toMatchObject({
      ...{ kind: 'not-added', message: 'nothing is calibrated here' },
      hint: expect.stringContaining('Calibrate this machine'),
    });
    const { server } = await openWorkshop({ calibrator, calibration: fitted([]) });
    const kinds = [await prove(server.url), await prove(server.url), await prove(server.url)].map((last) => last?.kind);
    expect([kinds, asked]).toEqual([
      ['calibrated', 'not-added', 'calibrated'],
      [1, 2, 2],
    ]);
  } finally {
    process.chdir(before);
  }
});

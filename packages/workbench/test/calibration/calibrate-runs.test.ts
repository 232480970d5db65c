import type { Calibration } from '@topo-bench/core/schema/calibration';
import { expect, it } from 'vitest';
import { calibrateRuns } from '../../src/calibration/calibrate-runs.ts';
import { open } from '../../src/index.ts';
import { onFake, shop } from '../fixtures/shop.ts';

const prior = {} as Calibration;
const { signal } = new AbortController();
const options = { prior, version: '1.2.3', quick: true, signal, isHeldOut: () => false, onDisturbed: () => undefined };

it.each([
  ['load: { rate: 10 }\ndeploy: interleaved', 'the model does not know deploy interleaved'],
  // The backend in memory records no processor time.
  ['load: { rate: 10 }', 'no usable repetition'],
])('refuses an added run without a cell for the model: %s', async (words, why) => {
  const { files, ...rest } = shop();
  const texts = {
    ...rest,
    files: { ...files, 'shop.yaml': `${files?.['shop.yaml']}`.replace('load: { rate: 10 }', words) },
  };
  const { setting } = onFake();
  await (await open(texts)).run(setting);
  const folders = [setting.folder];
  await expect(calibrateRuns({ ...options, folders, added: folders })).rejects.toMatchObject({
    ...{ code: 'TB_CALIBRATION_LACKS', message: `${setting.folder}: no cell is fitted: ${why}` },
  });
  // Not added: it is one of several, and what is left is too little.
  const leftOut: string[] = [];
  const onLeftOut = (text: string): void => void leftOut.push(text);
  await expect(calibrateRuns({ ...options, folders: [...folders, ...folders], onLeftOut })).rejects.toMatchObject({
    message: expect.stringContaining('at least 4 cells'),
  });
  expect(leftOut).toEqual(Array(2).fill(`${setting.folder}: no cell is fitted: ${why}`));
});

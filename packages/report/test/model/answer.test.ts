import { expect, test } from 'vitest';
import { type Answer, answerOf } from '../../src/model/answer.ts';
import { answerSentences } from '../../src/model/answer-sentences.ts';
import { readReport } from '../../src/model/report-model.ts';
import { type SyntheticOptions, syntheticRun } from '../fixtures/synthetic-run.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

/** Medians in ms by architecture, one per repetition. */
async function answerFor(
  medians: Record<string, number[]>,
  more: SyntheticOptions = {},
): Promise<{ answer: Answer; text: string }> {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: Object.keys(medians),
    services: [5],
    rates: [100],
    repetitions: Math.max(...Object.values(medians).map(({ length }) => length)),
    requests: 3,
    change: (cell) => {
      const ms = medians[cell.factors.architecture as string]?.[cell.repetition - 1];
      return ms === undefined
        ? undefined
        : { ...cell, rtt: { ...cell.rtt, medianUs: ms * 1e3 }, validity: { valid: true, reasons: [], flags: [] } };
    },
    ...more,
  });
  const answer = answerOf(await readReport([folder]))!;
  return { answer, text: answerSentences(answer, '> 60 s').join(' ') };
}

test('a lead that the repetitions show is claimed, with its size and interval', async () => {
  const { answer, text } = await answerFor({
    none: [1, 1.01, 1.02, 0.99, 1],
    'central-entity': [2, 2.01, 2.02, 1.99, 2.03],
    sidecar: [1.5, 1.51, 1.52, 1.49, 1.5],
  });
  expect(answer.settings[0]?.ranking).toMatchObject({
    first: { level: 'sidecar' },
    next: { level: 'central-entity' },
    lead: 'shown',
  });
  expect(text).toMatch(
    /^sidecar had the lowest median round-trip time of those that enforce rules: 1\.5 ms, 1\.50× the 1 ms of none\./,
  );
  expect(text).toMatch(/The lead over central-entity is shown: it took 3[34]% longer \(95% interval 3\d% to 3\d%\)/);
});

test('with too few repetitions nothing is claimed, however far apart they are', async () => {
  const { text } = await answerFor({ 'central-entity': [20, 21, 22], sidecar: [1, 1.1, 1.2] });
  expect(text).toContain(
    'With 3 repetitions the lead over central-entity cannot be shown, however large: that takes at least 4.',
  );
});

test('overlapping repetitions leave the order open', async () => {
  const { answer, text } = await answerFor({ 'central-entity': [1, 2, 3, 4, 5], sidecar: [1.1, 2.2, 2.9, 4.2, 4.8] });
  expect(answer.settings[0]?.ranking?.lead).toBe('open');
  expect(text).toMatch(/Whether .* is faster cannot be told .* about \d+ repetitions could tell 5%/);
});

test('repetitions that agree rule a difference out', async () => {
  const near = [2, 2.001, 2.002, 1.999, 1.998, 2.003, 1.997];
  const { answer, text } = await answerFor({ 'central-entity': near, sidecar: near.map((ms) => ms + 0.0005) });
  expect(answer.settings[0]?.ranking?.lead).toBe('equal');
  expect(text).toContain('no difference is seen');
});

test('on a saturated host nothing is claimed', async () => {
  const medians: Record<string, number[]> = { 'central-entity': [20, 21, 22, 23, 24], sidecar: [1, 1.1, 1.2, 1.3, 1.4] };
  const { answer, text } = await answerFor(medians, {
    change: (cell) => ({
      ...cell,
      rtt: { ...cell.rtt, medianUs: (medians[cell.factors.architecture as string]?.[cell.repetition - 1] as number) * 1e3 },
      validity: { valid: true, reasons: [], flags: ['host-saturated'] },
    }),
  });
  expect(answer.settings[0]?.ranking?.lead).toBe('open');
  expect(text).toContain('Nothing is claimed about the lead over central-entity, since the host was saturated.');
});

test('many settings are counted', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { repetitions: 2, requests: 60, rates: [100], services: [5, 10, 20] });
  const answer = answerOf(await readReport([folder]))!;
  expect(answer.settings).toHaveLength(3);
  expect(answerSentences(answer, '∞')[0]).toMatch(
    /had the lowest median round-trip time of those that enforce rules in \d of 3 settings/,
  );
  expect(answerSentences(answer, '∞')[1]).toContain('(at least 4)');
});

test('a run in which nothing varies compares nothing', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { architectures: ['sidecar'], services: [5], rates: [100], repetitions: 1, requests: 3 });
  expect(answerOf(await readReport([folder]))).toBeUndefined();
});

test('another factor than the architecture is compared when that does not vary', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { architectures: ['sidecar'], services: [5], rates: [100, 500], repetitions: 1, requests: 3 });
  const answer = answerOf(await readReport([folder]));
  expect(answer).toMatchObject({ compared: { name: 'rate', levels: [100, 500] }, reference: 100 });
});

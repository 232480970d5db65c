import { compareRuns, compareWithin } from '@topo-bench/comparison';
import { readReport } from '@topo-bench/report';
import { openRun } from '@topo-bench/results';
import { studyReportOf } from '@topo-bench/studies';
import { expect, test } from 'vitest';
import { type SyntheticOptions, syntheticRun } from '../../../report/test/fixtures/synthetic-run.ts';
import { temporaryFolder } from '../../../report/test/fixtures/temporary-folder.ts';
import { type Answer, answerOf } from '../../src/report/answer.ts';
import { answerSentences } from '../../src/report/answer-sentences.ts';

const five = ['one', 'two', 'three', 'four', 'five'];

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
  const answer = answerOf(await readReport([folder], studyReportOf))!;
  return { answer, text: answerSentences(answer, '> 60 s').join(' ') };
}

test('a difference that the repetitions show is claimed, with its size and interval', async () => {
  const { answer, text } = await answerFor({
    none: [1, 1.01, 1.02, 0.99, 1],
    'central-entity': [2, 2.01, 2.02, 1.99, 2.03],
    sidecar: [1.5, 1.51, 1.52, 1.49, 1.5],
  });
  expect(answer.settings[0]?.lowest).toMatchObject({ level: 'sidecar' });
  expect(text).toMatch(
    /^Shown in the median round-trip time, compared with sidecar: none −33\.3% and central-entity \+3[34]\.\d%\./,
  );
  expect(text).toContain(
    'Lowest median measured of those that enforce rules: sidecar with 1.5 ms, 1.50× the 1 ms of none.',
  );
  expect(text).toMatch(/Slower than sidecar: central-entity \+3[34]\.\d% \(95% interval \+3\d\.\d … \+3\d\.\d%\)\./);
  expect(text).toMatch(/Faster than sidecar: none −33\.3% \(95% interval −3\d\.\d … −3\d\.\d%\)\./);
});

test('verdicts of one kind share a sentence, and the headline names only what is shown', async () => {
  const wide = [1, 2, 3, 4, 5];
  const { text } = await answerFor({
    none: [0.2, 0.21, 0.22, 0.2, 0.21],
    'central-entity': wide.map((ms, at) => ms * (at === 0 ? 0.9 : 1.1)),
    'dynamic-router-3': wide.map((ms, at) => ms * (at === 0 ? 1.1 : 0.9)),
    sidecar: wide,
  });
  expect(text).toMatch(/^Shown in the median round-trip time, compared with sidecar: none −\d\d\.?\d*%\. Lowest/);
  expect(text.match(/Cannot be told/g)).toHaveLength(1);
  expect(text).toMatch(
    /Cannot be told from sidecar, since the interval is wider than the effect that matters: central-entity [+−]\d+.*; dynamic-router-3 [+−]\d+/,
  );
});

test('with too few repetitions nothing is claimed, nor that the few agree', async () => {
  const { text } = await answerFor({ 'central-entity': [20, 21, 22], sidecar: [1, 1.1, 1.2] });
  expect(text).toMatch(
    /^Whether the median round-trip time differs between sidecar and central-entity cannot be told\./,
  );
  expect(text).toMatch(/Cannot be told from sidecar, since .*: central-entity \+\d+%\./);
  expect(text).toContain('With 3 repetitions this comparison could not have shown any difference; 4 could.');
  const noisy = { 'central-entity': [1, 2, 3, 1, 2, 3, 2], sidecar: [2, 1, 2, 3, 3, 1, 2.5] };
  expect((await answerFor(noisy)).text).toMatch(/ cannot be told: the 95% interval is −\d\S* … \+\d\S*%\. Lowest/);
});

test('what five rounds agree on is seen, each time with how often chance does that', async () => {
  const drifting = [1, 2, 3, 4, 5];
  const { text } = await answerFor({ 'central-entity': drifting.map((ms) => 1.1 * ms), sidecar: drifting });
  expect(text).toMatch(
    /^Seen, but not shown, in the median round-trip time, compared with sidecar: central-entity \+10\.0% \(so in all 5 rounds, by chance in one of 16 cases\)\./,
  );
  expect(text).toMatch(
    /Cannot be told from sidecar, since all 5 rounds agree, as they do by chance in one of 16 cases: central-entity \+10\.0%/,
  );
});

test('overlapping repetitions leave the order open, and the sentence names the difference that could have been shown', async () => {
  const { text } = await answerFor({ 'central-entity': [1, 2, 3, 4, 5], sidecar: [1.1, 2.2, 2.9, 4.2, 4.8] });
  expect(text).toContain(
    'Cannot be told from sidecar, since the interval is wider than the effect that matters: central-entity',
  );
  expect(text).toMatch(/With 5 repetitions this comparison could not have seen less than \d+%/);
});

test('repetitions that agree rule a difference out', async () => {
  const near = [2, 2.001, 2.002, 1.999, 1.998, 2.003, 1.997];
  const { text } = await answerFor({ 'central-entity': near, sidecar: [2.001, 1.999, 2.002, 2, 2.003, 1.998, 1.997] });
  expect(text).toMatch(
    /^No difference that matters in the median round-trip time is seen between sidecar and central-entity\./,
  );
  expect(text).toContain('No difference from sidecar that matters is seen: central-entity +0.0%');
});

test('the headline names a level only in the settings where the comparison shows it', async () => {
  const near = { 'central-entity': 2, 'dynamic-router-3': 2.001, sidecar: 2.0005 };
  const apart = { 'central-entity': 3, 'dynamic-router-3': 4, sidecar: 2 };
  // Faster than the reference, and so is the other: the two are compared with each other.
  const between = { 'central-entity': 1, 'dynamic-router-3': 1.5, sidecar: 2 };
  const both = { 'central-entity': 1, 'dynamic-router-3': 1.001, sidecar: 2 };
  const medians = new Map<unknown, Record<string, number>>([
    [100, near],
    [200, apart],
    [300, between],
    [400, both],
  ]);
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: Object.keys(near),
    services: [5],
    rates: [100, 200, 300, 400],
    repetitions: 9,
    requests: 3,
    change: (cell) => {
      const ms = medians.get(cell.factors.rate)?.[cell.factors.architecture as string] as number;
      const step = { 'central-entity': 7, 'dynamic-router-3': 4, sidecar: 5 }[
        cell.factors.architecture as string
      ] as number;
      const medianUs = 1e3 * ms * (1 + ((cell.repetition * step) % 9) / 500);
      return { ...cell, rtt: { ...cell.rtt, medianUs }, validity: { valid: true, reasons: [], flags: [] } };
    },
  });
  const answer = answerOf(await readReport([folder], studyReportOf))!;
  expect(answer.settings.map(({ isShown }) => isShown)).toEqual([false, true, true, false]);
  expect(answerSentences(answer, '∞')[0]).toBe(
    'sidecar had the lowest median round-trip time of those that enforce rules in 1 of 4 settings, central-entity in 1; in 2 no architecture is shown to be the fastest.',
  );
});

test('two levels below the reference are compared with each other', async () => {
  const near = [1.5, 1.51, 1.52, 1.49, 1.5];
  const scaled = (factor: number): number[] => near.map((ms) => factor * ms);
  const apart = await answerFor({ 'central-entity': near, 'dynamic-router-3': scaled(1.2), sidecar: scaled(2) });
  expect(apart.answer.settings[0]?.isShown).toBe(true);
  expect(apart.text).toMatch(/Slower than central-entity: dynamic-router-3 \+(19|20)\.\d% \(95% interval \+1\d/);
  expect(apart.text).toMatch(/Faster than sidecar: central-entity −50\.\d%.*; dynamic-router-3 −(39|40)\.\d%/);
  const equal = await answerFor({ 'central-entity': near, 'dynamic-router-3': near, sidecar: scaled(2) });
  expect(equal.answer.settings[0]?.isShown).toBe(false);
  expect(equal.text).toMatch(/No difference from \S+ that matters is seen: \S+ \+0\.0%/);
  const open = await answerFor({
    ...{ 'central-entity': near, 'dynamic-router-3': [1.2, 2, 1.4, 1.9, 1.6], sidecar: scaled(5) },
  });
  expect(open.answer.settings[0]?.isShown).toBe(false);
  expect(open.text).toMatch(/Cannot be told from central-entity, since .*: dynamic-router-3/);
});

test('on a saturated host nothing is claimed, what was seen is named, and no more repetitions are advised', async () => {
  const medians: Record<string, number[]> = {
    'central-entity': [20, 21, 22, 23, 24],
    sidecar: [1, 1.1, 1.2, 1.3, 1.4],
  };
  const { text } = await answerFor(medians, {
    change: (cell) => ({
      ...cell,
      rtt: {
        ...cell.rtt,
        medianUs: (medians[cell.factors.architecture as string]?.[cell.repetition - 1] as number) * 1e3,
      },
      validity: { valid: true, reasons: [], flags: ['host-saturated'] },
    }),
  });
  expect(text).toMatch(/^Seen, but not shown, in the median round-trip time, compared with sidecar: central-entity \+/);
  expect(text).toMatch(/Cannot be told from sidecar, since the host was saturated: central-entity/);
  expect(text).toContain('More repetitions do not help at this load: lower the rate, so that the host has time left.');
  expect(text).not.toContain('To see 5%');
});

test('a difference next to other programs is seen, with the rounds without them apart', async () => {
  const [none, sidecar] = [
    [1, 1.01, 1.02, 0.99, 1, 1.01, 1.02, 1.03],
    [1.12, 1.13, 1.15, 1.1, 1.12, 1.14, 1.13, 1.16],
  ];
  const medians: Record<string, number[]> = { none, sidecar };
  const { text } = await answerFor(medians, {
    change: (cell) => {
      const medianUs = 1e3 * (medians[cell.factors.architecture as string]?.[cell.repetition - 1] as number);
      const isBusy = cell.repetition > 3;
      return {
        ...cell,
        rtt: { ...cell.rtt, medianUs },
        resources: { ...cell.resources, host: { idlePercent: isBusy ? 1 : 60, foreignPercent: isBusy ? 54 : 1 } },
        validity: { valid: true, reasons: [], flags: isBusy ? ['foreign-load'] : [] },
      };
    },
  });
  expect(text).toMatch(
    /^Seen, but not shown, in the median round-trip time, compared with sidecar: none −10\.\d% \(95% interval −1\d\.\d … −\d+\.\d%\)\./,
  );
  expect(text).toMatch(
    /Other programs had up to 54% of the processors: none −1\d\.\d% in 3 rounds without them, −1\d\.\d% in 5 rounds with them\./,
  );
  expect(text).toContain('More repetitions do not help while the same programs run: end them, or');
  expect(text).not.toMatch(/No difference|To see 5%/);
});

test('CPU shares of other programs are reported, without a claim about the capacity of the machine', async () => {
  const near = [2, 2.001, 2.002, 1.999, 1.998, 2.003, 1.997];
  const { text } = await answerFor(
    { 'central-entity': near, sidecar: near },
    {
      change: (cell) => ({
        ...cell,
        rtt: { ...cell.rtt, medianUs: (near[cell.repetition - 1] as number) * 1e3 },
        resources: { ...cell.resources, host: { idlePercent: 0.7, foreignPercent: 54.3 } },
        validity: { valid: true, reasons: [], flags: ['foreign-load'] },
      }),
    },
  );
  expect(text).toContain('Other programs had up to 54% of the processors: some of the differences may be theirs.');
  expect(text).not.toMatch(/saturated|bear/);
});

test.each([
  [8, true, 'rounds are compared in pairs, so they may change the size'],
  [8, false, 'some of the differences may be theirs'],
  [5, true, 'some of the differences may be theirs'],
])('of %i rounds next to other programs, in turns: %s, the sentence is: %s', async (rounds, inTurns, expected) => {
  const at = (ms: number) => Array.from({ length: rounds }, (_, round) => ms * (1 + 0.002 * ((round * 3) % 5)));
  const medians: Record<string, number[]> = { none: at(1), sidecar: at(2) };
  const { answer, text } = await answerFor(medians, {
    change: (cell) => ({
      ...cell,
      rtt: { ...cell.rtt, medianUs: 1e3 * (medians[cell.factors.architecture as string]?.[cell.repetition - 1] ?? 0) },
      resources: { ...cell.resources, host: { idlePercent: 20, foreignPercent: 40 } },
      validity: { valid: true, reasons: [], flags: ['foreign-load'] },
      ...(inTurns && { turns: { levels: 2, sliceUs: 5e5, gapUs: 1e5 } }),
    }),
  });
  expect(answer.inTurns).toBe(inTurns);
  expect(text).toMatch(/^Shown in the median/);
  expect(text).toContain(`Other programs had up to 40% of the processors: ${expected}`);
});

test('the answer is that of compare for the same run, number by number, over many cells with Holm', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { repetitions: 5, requests: 60, rates: [100, 500], services: [5, 10] });
  const answer = answerOf(await readReport([folder], studyReportOf))!;
  const compared = compareWithin(await openRun(folder), 'architecture');
  const shown = answer.settings.flatMap(({ contenders }) =>
    contenders.flatMap(({ againstReference }) => againstReference ?? []),
  );
  expect(answer.reference).toBe(compared.reference);
  expect(shown).toHaveLength(12);
  expect(shown).toEqual(expect.arrayContaining(compared.cells));
  // Holm over twelve cells: alone, a p-value would be smaller.
  expect(shown.some(({ pValue, adjustedPValue }) => adjustedPValue > pValue)).toBe(true);
});

test('runs are compared with the first, as compare does with two folders', async () => {
  const folders = [await temporaryFolder(), await temporaryFolder()];
  const options = { architectures: ['sidecar'], services: [5], rates: [100], repetitions: five.length, requests: 30 };
  const named = folders.map((folder, at) => folder.replace(/run$/, `run-${at}`));
  for (const [at, folder] of named.entries()) await syntheticRun(folder, { ...options, seed: at + 1 });
  const answer = answerOf(await readReport(named, studyReportOf))!;
  const [baseline, candidate] = await Promise.all(named.map(openRun));
  expect(answer).toMatchObject({ compared: { name: 'run' }, reference: 'run-0' });
  expect(answer.settings[0]?.contenders[1]?.againstReference).toEqual(compareRuns(baseline!, candidate!).cells[0]);
  expect(answer.notes.join()).toContain('seed differs');
});

test('many settings are counted, by verdict', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { repetitions: 5, requests: 60, rates: [100], services: [5, 10, 20] });
  const sentences = answerSentences(answerOf(await readReport([folder], studyReportOf))!, '∞');
  expect(sentences[0]).toBe(
    'No architecture is shown to be the fastest of those that enforce rules in any of 3 settings.',
  );
  expect(sentences[1]).toMatch(/^none against sidecar, in 3 settings: /);
});

test('where nothing is shown, the sentence gives the reason, how often, and what the intervals leave open', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['central-entity', 'sidecar'],
    services: [5, 10, 20],
    rates: [100],
    repetitions: 5,
    requests: 40,
    change: (cell) => ({
      ...cell,
      rtt: {
        ...cell.rtt,
        medianUs: 1000 + 40 * ((cell.repetition * (cell.factors.architecture === 'sidecar' ? 7 : 11)) % 5),
      },
      validity: { ...cell.validity, flags: cell.factors.services === 20 ? ['host-saturated'] : [] },
    }),
  });
  expect(answerSentences(answerOf(await readReport([folder], studyReportOf))!, '∞')[1]).toMatch(
    /^central-entity against sidecar, in 3 settings: cannot tell in 3 \(the interval is wider than the effect that matters in 2, within −\d[\d.]* … \+\d[\d.]*%; the host was saturated in 1/,
  );
});

test('a run in which nothing varies compares nothing', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, { architectures: ['sidecar'], services: [5], rates: [100], repetitions: 1, requests: 3 });
  expect(answerOf(await readReport([folder], studyReportOf))).toBeUndefined();
});

test('another factor than the architecture is compared when that does not vary', async () => {
  const folder = await temporaryFolder();
  await syntheticRun(folder, {
    architectures: ['sidecar'],
    services: [5],
    rates: [100, 500],
    repetitions: 1,
    requests: 3,
  });
  const answer = answerOf(await readReport([folder], studyReportOf));
  expect(answer).toMatchObject({ compared: { name: 'rate', levels: [100, 500] }, reference: 100 });
});

test('measured and simulated figures are described, not compared', async () => {
  const [measured, simulated] = [await temporaryFolder(), await temporaryFolder()];
  const options = { architectures: ['sidecar'], services: [5], rates: [100], repetitions: 2, requests: 10 };
  await syntheticRun(measured, options);
  await syntheticRun(simulated.replace(/run$/, 'model'), { ...options, source: 'simulated' });
  const answer = answerOf(await readReport([measured, simulated.replace(/run$/, 'model')], studyReportOf))!;
  expect(answer.compared.name).toBe('run');
  expect(answer.notes.join()).toContain('simulated');
});

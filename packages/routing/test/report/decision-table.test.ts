import { expect, test } from 'vitest';
import { invalid, runOf } from '../../../comparison/test/fixtures/run-of.ts';
import type { Answer } from '../../src/report/answer.ts';
import { decisionSentences } from '../../src/report/decision-table.ts';

const architectures = ['sidecar', 'central-entity', 'none'];

/** CPU per request by architecture, at two rates over eight rounds. */
function cpuSentence(lostRounds: number): string | undefined {
  const cells = [100, 200].flatMap((rate) =>
    architectures.map((architecture, at) => ({
      factors: { architecture, rate },
      mediansUs: [1, 2, 3, 4, 5, 6, 7, 8],
      change: (entry: Parameters<typeof invalid>[0], round: number) => {
        const total = 500 * (1 + at) * (1 + 0.001 * round * (at + 1));
        const measured = { ...entry, cpuUsPerRequest: { ...entry.cpuUsPerRequest, total } };
        return at === 2 && rate === 200 && round <= lostRounds ? invalid(measured) : measured;
      },
    })),
  );
  const run = runOf(cells);
  const groups = cells.map(({ factors }) => ({
    factors,
    figures: { cpuUsPerRequest: { total: 500 }, outcomes: { completed: 1 }, exposureBytes: {} },
  }));
  const settings = [100, 200].map((rate) => ({ factors: { rate }, contenders: [], isShown: false }));
  const compared = { name: 'architecture', levels: architectures };
  const [sentence] = decisionSentences(
    { runs: [run], groups, factors: [compared] } as never,
    { compared, reference: 'sidecar', settings } as unknown as Answer,
  );
  return sentence;
}

test('the sentence on CPU time counts the settings that each level was compared in', () => {
  expect(cpuSentence(0)).toBe(
    'CPU per request, against sidecar, over 2 settings: central-entity +101% (shown); none +203% (shown).',
  );
  expect(cpuSentence(5)).toMatch(
    /against sidecar: central-entity \+101% \(shown\), over 2 of 2 settings; none \+203% \(shown\), over 1 of 2 settings\.$/,
  );
});

/** @param exposed bytes by architecture and rate; undefined: no valid repetition */
function sentencesOf(exposed: (architecture: string, rate: number) => number | undefined): string[] {
  const groups = [100, 200].flatMap((rate) =>
    architectures.map((architecture) => {
      const bytes = exposed(architecture, rate);
      const figures = {
        ...{ cpuUsPerRequest: { total: 500 }, outcomes: { refused: 100 }, offeredRps: rate },
        exposureBytes: { card: bytes },
      };
      return { factors: { architecture, rate }, ...(bytes !== undefined && { figures }) };
    }),
  );
  const settings = [100, 200].map((rate) => ({ factors: { rate }, contenders: [], isShown: false }));
  return decisionSentences(
    { runs: [], groups, factors: [] } as never,
    { compared: { name: 'architecture', levels: architectures }, reference: 'sidecar', settings } as unknown as Answer,
  );
}

test('the sentence on exposure leaves out settings that not all levels have', () => {
  const bytes = { sidecar: 30, 'central-entity': 10, none: 0 } as Record<string, number>;
  const all = sentencesOf((architecture, rate) => (bytes[architecture] as number) * (rate / 100));
  expect(all[0]).toContain('sidecar 450, central-entity 150');
  // The setting that exposes more lacks one level.
  const lacking = sentencesOf((architecture, rate) =>
    architecture === 'central-entity' && rate === 200 ? undefined : (bytes[architecture] as number) * (rate / 100),
  );
  expect(lacking[0]).toContain('sidecar 300, central-entity 100');
});

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

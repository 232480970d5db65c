/** What the address of the page contains, and what is taken from it. */
import { expect, it } from 'vitest';
import { fragmentOf, newSession, type Session, sessionOf } from '../../src/browser/session.ts';
import type { Start } from '../../src/browser/start.ts';
import { quickstart } from '../fixtures/question.ts';

const { texts, settings, calibration } = quickstart();
const fresh = newSession({ texts, calibration } as Start);
const variant = { name: 'A', topology: 'kind: Topology', rules: '# stricter', settings, cells: [] };

it('a variant keeps its rules in a link, and one with other rules than text is left out', async () => {
  const through = async (variants: unknown[]) =>
    (await sessionOf(await fragmentOf({ ...fresh, variants } as Session), fresh))?.variants;
  const { rules: _, ...older } = variant;
  expect(await through([variant, older])).toEqual([variant, older]);
  expect(await through([{ ...variant, rules: 3 }])).toEqual([]);
  expect(await through([{ ...variant, settings: { ...settings, rate: 1e12 } }])).toEqual([]);
  const [kept] = (await through([{ ...variant, settings: { ...settings, services: 1e9 } }])) ?? [];
  expect(kept?.settings).toEqual(settings);
});

it('takes no number of a link that would keep the page busy for minutes', async () => {
  const through = async (settings: Partial<Session['settings']>) =>
    (await sessionOf(await fragmentOf({ ...fresh, settings: { ...fresh.settings, ...settings } }), fresh))?.settings;
  expect(await through({ services: 1000, workUs: 5 })).toEqual({ ...fresh.settings, services: 1000, workUs: 5 });
  expect(await through({ services: 1e9, rulesPerService: 1e6 })).toEqual(fresh.settings);
  expect(await through({ rate: 1e9 })).toBeUndefined();
});

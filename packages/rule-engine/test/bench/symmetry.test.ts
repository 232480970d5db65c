/**
 * All contenders of bench:decide are treated alike: the same requests, the same warm-up, and nothing but their own
 * decisions inside the clock. A virtual clock, which only decisions advance, makes each event visible in its place.
 */
import { expect, test } from 'vitest';
import type { LoadedContender } from '../../bench/contenders/contender.ts';
import { measure, rounds } from '../../bench/timing.ts';

const requests = 64;
/** µs of a decision: a slice holds many decisions of the first, three of the second and one of the third. */
const costsUs = [5, 700, 90_000];

type Event = { kind: 'clock' } | { kind: 'collection' } | { kind: 'decision'; side: number; request: number };
type Decision = Extract<Event, { kind: 'decision' }>;

interface Slice {
  decisions: Decision[];
  /** Whether garbage was collected since the slice before. */
  afterCollection: boolean;
}

async function recorded() {
  const events: Event[] = [];
  let nowMs = 0;
  const contenders = costsUs.map((costUs, side): LoadedContender => {
    const decide = (request: number): unknown => {
      nowMs += costUs / 1e3;
      events.push({ kind: 'decision', side, request });
      // One side answers with a promise, as json-rules-engine does.
      return side === 1 ? Promise.resolve() : undefined;
    };
    return { decide, matched: () => [] };
  });
  const times = await measure(contenders, requests, {
    nowMs() {
      events.push({ kind: 'clock' });
      return nowMs;
    },
    collectGarbage: () => void events.push({ kind: 'collection' }),
  });
  return { times, slices: slicesOf(events) };
}

/** What ran between two readings of the clock. Between slices there are only collections. */
function slicesOf(events: readonly Event[]): Slice[] {
  const slices: Slice[] = [];
  let open: Slice | undefined;
  let afterCollection = false;
  for (const event of events) {
    if (event.kind === 'collection') {
      expect(open, 'garbage is collected outside the clock').toBeUndefined();
      afterCollection = true;
    } else if (event.kind === 'clock') {
      if (open) slices.push(open);
      open = open ? undefined : { decisions: [], afterCollection };
      afterCollection = false;
    } else {
      expect(open, 'decisions are made inside the clock').toBeDefined();
      open?.decisions.push(event);
    }
  }
  return slices;
}

test('every contender decides the same requests, after the same warm-up, alone inside the clock', async () => {
  const { times, slices } = await recorded();
  for (const { decisions } of slices) expect(new Set(decisions.map(({ side }) => side)).size).toBe(1);

  const turns = slices.flatMap(({ afterCollection }, at) => (afterCollection ? [at] : []));
  expect(turns).toHaveLength(rounds * costsUs.length);
  const sideOf = (at: number): number | undefined => slices[at]?.decisions[0]?.side;
  // Contenders take turns within each round.
  expect(turns.map(sideOf)).toEqual(Array.from(turns, (_, turn) => turn % costsUs.length));

  for (const [side, costUs] of costsUs.entries()) {
    const warmUp = slices.slice(0, turns[0]).filter(({ decisions }) => decisions[0]?.side === side);
    const warmUpUs = warmUp.reduce((sum, { decisions }) => sum + decisions.length * costUs, 0);
    expect(warmUpUs).toBeGreaterThanOrEqual(300_000 - 1e-6);

    const timed = turns.flatMap((from, turn) => {
      if (sideOf(from) !== side) return [];
      // The slice that counts is the last of the turn: lead-in comes before.
      return [slices[(turns[turn + 1] ?? slices.length) - 1]?.decisions ?? []];
    });
    expect(timed.map(([first]) => first?.request)).toEqual(Array.from({ length: rounds }, (_, round) => round));
    const decided = new Set(timed.flat().map(({ request }) => request));
    expect(decided.size).toBeGreaterThanOrEqual(rounds);
    expect(times[side]?.medianUs).toBeCloseTo(costUs, 6);
    expect(times[side]?.decisions).toBe(timed.flat().length);
  }
});

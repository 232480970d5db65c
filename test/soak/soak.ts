/**
 * A soak: many cases, one for each seed, until as many requests have ended or one has broken a claim. That case is
 * made smaller and returned, with the seed that replays it.
 */
import { type Played, playCase, Tally, type Violation } from './play-case.ts';
import { shrinkCase } from './shrink-case.ts';
import { type SoakCase, soakCase } from './soak-case.ts';

export interface SoakOptions {
  requests: number;
  /** The seed of the first case. Each later one has the next. */
  seed: number;
  /** Time of `performance.now()` at which no other case begins. Default: never. */
  untilMs?: number;
  /** The case of a seed. Default: one for virtual time. */
  draw?: (seed: number) => SoakCase;
  /** Default: as a deployment in memory does. */
  play?: (one: SoakCase) => Promise<Played>;
  /** Time to make a case smaller. Default: 60 s. */
  shrinkMs?: number;
  /** Called after each case, with the seed of the next. */
  progress?: (requests: number, nextSeed: number) => void;
}

export interface SoakResult {
  requests: number;
  cases: number;
  /** What the cases have met. */
  seen: Record<string, number>;
  violated?: { seed: number; violation: Violation; original: SoakCase; smallest: SoakCase };
}

export async function soak(options: SoakOptions): Promise<SoakResult> {
  const {
    requests,
    seed,
    untilMs,
    draw = (one: number) => soakCase(one),
    play = playCase,
    shrinkMs = 60_000,
    progress,
  } = options;
  const seen = new Tally();
  let done = 0;
  let cases = 0;
  while (done < requests && performance.now() < (untilMs ?? Number.POSITIVE_INFINITY)) {
    const caseSeed = seed + cases;
    const one = draw(caseSeed);
    const played = await play(one);
    done += one.requests.length;
    cases++;
    for (const [name, count] of Object.entries(played.seen)) seen.add(name, count);
    const [violation] = played.violations;
    if (violation) {
      const smallest = await shrinkCase(one, violation.kind, play, performance.now() + shrinkMs);
      return {
        requests: done,
        cases,
        seen: seen.counts,
        violated: { seed: caseSeed, violation, original: one, smallest },
      };
    }
    progress?.(done, seed + cases);
  }
  return { requests: done, cases, seen: seen.counts };
}

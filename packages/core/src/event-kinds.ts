/** Kinds of events on the clock of a load, and what each runner cannot do to the roles that it started. */
import type { RunnerName } from './runner-names.ts';

export const faultKinds = ['crash', 'freeze', 'slow', 'partition'] as const;
/** An event that breaks or delays roles or messages between them. */
export type FaultKind = (typeof faultKinds)[number];

interface Impossible {
  /** Completes the sentence "the runner … ". */
  why: string;
  hint: string;
}

interface RunnerEvents {
  /** By kind of event; all others are possible. */
  impossible: Partial<Record<FaultKind | 'rules', Impossible>>;
  /** Changes of rules that enforcement points fetch; absent where they can. */
  fetchedRules?: Impossible;
  /** About the time from the start of a role until it serves requests, on an idle host. */
  startUs: number;
}

const notYet: Impossible = {
  why: 'does not apply such events yet',
  hint: 'use `runner: local` or `runner: docker`, or leave the event out',
};
const processes = { crash: notYet, freeze: notYet };

export const runnerEvents: Readonly<Record<RunnerName, RunnerEvents>> = {
  local: { impossible: {}, startUs: 100_000 },
  docker: { impossible: {}, startUs: 500_000 },
  kubernetes: {
    impossible: processes,
    fetchedRules: {
      why: 'only sends changed rules to pods',
      hint: 'set enforcement.distribution to push, or use another runner',
    },
    startUs: 1_000_000,
  },
};

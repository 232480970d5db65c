/** Kinds of events on the clock of a load, and the time that each runner needs for a start. */
import type { RunnerName } from './runner-names.ts';

/** Events that break or delay roles or messages between them. */
export const faultKinds = ['crash', 'freeze', 'slow', 'partition'] as const;

/** About the time in µs from the start of a role until it serves requests, on an idle host. */
export const roleStartUs: Readonly<Record<RunnerName, number>> = {
  local: 100_000,
  docker: 500_000,
  kubernetes: 500_000,
};

/** Privileges of load generator and gateway in the repetitions of a report, and what more would add. */
import { counted, withoutGatewayPriority, withoutRealTimePriority, withSleepingCores } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import type { ReportModel } from './model/report-model.ts';

interface Privilege {
  /** Undefined where the repetition does not record it. */
  of(cell: Cell): boolean | undefined;
  granted: string;
  missing: string;
  effect: string;
}

const privileges: readonly Privilege[] = [
  {
    of: ({ generator }) => generator?.realTimePriority,
    granted: 'the load generator had real-time priority',
    missing: 'the load generator had no real-time priority',
    effect: withoutRealTimePriority,
  },
  {
    of: ({ generator }) => generator?.coresKeptAwake,
    granted: 'cores were kept awake',
    missing: 'cores could sleep',
    effect: withSleepingCores,
  },
  {
    of: ({ gateway }) => gateway?.priority,
    granted: 'the gateway had priority over the other roles',
    missing: 'the gateway had no priority over the other roles',
    effect: withoutGatewayPriority,
  },
];

/** One line. Undefined where nothing is recorded, as in older results. */
export function privilegeText({ groups }: Pick<ReportModel, 'groups'>): string | undefined {
  const cells = groups.flatMap(({ valid, invalid }) => [...valid, ...invalid]);
  const parts = privileges.flatMap(({ of, granted, missing, effect }) => {
    const known = cells.flatMap((cell) => of(cell) ?? []);
    if (known.length === 0) return [];
    const without = known.filter((has) => !has).length;
    if (without === 0) return [granted];
    const where = without === known.length ? '' : ` in ${without} of ${counted(known.length, 'repetition')}`;
    return [`${missing}${where} (${effect})`];
  });
  return parts.length === 0 ? undefined : `Privileges: ${parts.join('; ')}.`;
}

/** Requests through the gateway: the cost of enforcing rules, by architecture. */
import { formatUs } from '@topo-bench/core';
import type { Cell } from '@topo-bench/core/schema/result';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import type { KindOfStudy } from '@topo-bench/study-kit/kind-of-study';
import { levels } from './levels.ts';
import { check } from './settings.ts';

/** Its settings and figures are those of every experiment. */
const parts = joinStudy({ kind: 'routing', factors: {} });

export const routing: KindOfStudy = {
  kind: parts.kind,
  parts,
  interval: 'rtt',
  takesTurns: true,
  takesEvents: true,
  appliesTo: () => true,
  levels,
  check,
  figures,
  async report() {
    const { report } = await import('./report.ts');
    return report;
  },
  async simulate(cell, machine) {
    const { SimulatedTestBed } = await import('./simulated/simulated-test-bed.ts');
    return SimulatedTestBed.open(cell, machine);
  },
  async open(deployed) {
    const { RoutingTestBed } = await import('./test-bed.ts');
    return new RoutingTestBed(deployed);
  },
  async openTogether(setups, options, context) {
    const { JointRoutingTestBed } = await import('./joint-test-bed.ts');
    return JointRoutingTestBed.open(setups, options, context);
  },
};

/** A repetition in a line of progress. */
function figures({ rtt: { medianUs, p95Us }, achievedRps, decisions: { wrong } }: Cell): string[] {
  return [
    `RTT median ${formatUs(medianUs)}, p95 ${formatUs(p95Us)}`,
    `${achievedRps.toFixed(1)} req/s`,
    `${wrong} wrong`,
  ];
}

/** Requests through the gateway: the cost of enforcing rules, by architecture. */
import type { KindOfStudy } from '../kind-of-study.ts';
import { figures } from './figures.ts';
import { levels } from './levels.ts';
import { check } from './settings.ts';

export const routing: KindOfStudy = {
  kind: 'routing',
  interval: 'rtt',
  appliesTo: () => true,
  levels,
  check,
  figures,
  async report() {
    const { report } = await import('./report.ts');
    return report;
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

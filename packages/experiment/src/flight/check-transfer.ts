/** A bulk transfer has one service at its other end, and settings that go together. */
import type { Problem, SourceLocation } from '@topo-bench/core';
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import type { Graph } from '@topo-bench/topology';

/**
 * @param settings of a cell
 * @param place of the experiment's field `flight`, or of `load` where it has none
 */
export function checkTransfer({ flight, load }: ExperimentFile, { services }: Graph, place: SourceLocation): Problem[] {
  if (!flight && load.driver !== 'flight') return [];
  const problem = (message: string, hint: string): Problem[] => [{ ...place, code: 'TB_EXPERIMENT_TRANSFER', message, hint }];
  if (!flight) return problem('the driver `flight` needs to know what to move', 'add e.g. `flight: { streams: 4 }`');
  if (load.driver !== 'flight') {
    return problem(`\`flight\` is moved by the driver \`flight\`, not by \`${load.driver}\``, 'set `load: { driver: flight }`');
  }
  if (flight.operation === 'put' && flight.protocol !== 'flight') {
    return problem(`rows go to a service over Flight alone, not over \`${flight.protocol}\``, 'leave `put` or the protocol out');
  }
  const names = services.filter(({ arrow }) => arrow?.flight).map(({ name }) => name);
  if (names.length === 1) return [];
  const found = names.length === 0 ? 'none' : names.join(', ');
  const message = `a transfer needs the one service with \`arrow.flight\`, and the topology has ${found}`;
  return [{ ...place, code: 'TB_EXPERIMENT_NO_FLIGHT', message, hint: 'give one service `arrow: { flight: {} }`' }];
}

/** What the Flight server of pyarrow cannot do in place of a service. */
import { isEnforced, type Problem, type SourceLocation } from '@topo-bench/core';
import type { TransferTrial } from '../parts.ts';

/** @param place of the experiment's field `flight.server` */
export function checkPyarrow({ settings: { flight }, graph }: TransferTrial, place: SourceLocation): Problem[] {
  if (flight?.server !== 'pyarrow') return [];
  const problem = (finding: string, hint: string): Problem => {
    return { ...place, code: 'TB_EXPERIMENT_TRANSFER', message: `\`flight.server: pyarrow\` ${finding}`, hint };
  };
  const { rules, enforcement, services } = graph;
  const decides = isEnforced(enforcement.architecture) && (rules.rules.length > 0 || rules.default !== 'allow');
  return [
    ...(flight.protocol === 'flight'
      ? []
      : [
          problem(
            `serves no HTTP: got protocol \`${flight.protocol}\`, expected \`flight\``,
            'leave one of the two out',
          ),
        ]),
    ...(decides
      ? [
          problem(
            'enforces no rules, and the topology has some',
            'set `enforcement.architecture: none` in the topology',
          ),
        ]
      : []),
    ...(services.some(({ arrow }) => arrow?.flight?.tls?.enabled)
      ? [
          problem(
            'has no TLS here, and `arrow.flight.tls` of the topology is on',
            'leave `tls` out, or set `tls: false`',
          ),
        ]
      : []),
  ];
}

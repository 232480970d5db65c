/** The cluster file: machines that one does not have, for simulations. */
import { z } from 'zod';
import { duration, name } from './quantities.ts';

const delays = {
  delay: duration.meta({ description: 'Of each message from host to host, one way.' }),
  jitter: duration.prefault('0us').meta({ description: 'Half the width of its uniform spread.' }),
};

const host = z.strictObject({
  name,
  cores: z.int().min(1).max(4096).meta({ description: 'Hardware threads that its processes share.' }),
  speed: z
    .number()
    .positive()
    .max(100)
    .default(1)
    .meta({ description: 'Of a core, relative to the machine of the calibration.' }),
  nodes: z.array(name).default([]).meta({ description: 'Nodes of the topology whose roles run on it.' }),
});

export const clusterFile = z
  .strictObject({
    $schema: z.string().optional(),
    apiVersion: z.literal('topo-bench/v1'),
    kind: z.literal('Cluster'),
    name,
    hosts: z.array(host).min(1).meta({
      description: 'Every node of the topology is on one of them. The gateway runs on the host of its node.',
    }),
    generators: name
      .optional()
      .meta({ description: 'Host of the load generators; when left out, that of the gateway.' }),
    network: z.strictObject(delays).prefault({ delay: '0us' }).meta({
      description:
        'Between any two hosts. Delays of the topology come on top. Bandwidth is not modelled: messages are small.',
    }),
    links: z
      .array(z.strictObject({ between: z.tuple([name, name]), ...delays }))
      .default([])
      .meta({ description: 'Pairs of hosts with other delays than `network` states; both ways.' }),
  })
  .superRefine((cluster, context) => {
    for (const { path, message } of contradictions(cluster)) {
      context.addIssue({ code: 'custom', message, path, params: { code: 'TB_SIMULATE_CLUSTER' } });
    }
  })
  .meta({ title: 'topo-bench cluster', description: 'Machines that a simulation assumes, for one topology.' });

export type ClusterFile = z.output<typeof clusterFile>;

type Named = Pick<ClusterFile, 'hosts' | 'generators' | 'links'>;

/** Names that are given twice, or that no host has. */
function* contradictions({
  hosts,
  generators,
  links,
}: Named): Generator<{ path: (string | number)[]; message: string }> {
  const names = hosts.map((host) => host.name);
  const hostOf = new Map<string, string>();
  for (const [at, host] of hosts.entries()) {
    if (names.indexOf(host.name) < at)
      yield { path: ['hosts', at, 'name'], message: `two hosts have the name ${host.name}, expected one` };
    for (const [place, node] of host.nodes.entries()) {
      const other = hostOf.get(node);
      if (other !== undefined) {
        const message = `the node ${node} is on the hosts ${other} and ${host.name}, expected one`;
        yield { path: ['hosts', at, 'nodes', place], message };
      }
      hostOf.set(node, host.name);
    }
  }
  const unknown = (path: (string | number)[], host: string) => {
    return { path, message: `unknown host: got ${host}, expected one of ${[...new Set(names)].join(', ')}` };
  };
  if (generators !== undefined && !names.includes(generators)) yield unknown(['generators'], generators);
  for (const [at, { between }] of links.entries()) {
    for (const [end, host] of between.entries())
      if (!names.includes(host)) yield unknown(['links', at, 'between', end], host);
    if (between[0] === between[1]) {
      const message = `a link between ${between[0]} and itself, expected two hosts`;
      yield { path: ['links', at, 'between'], message };
    }
  }
}

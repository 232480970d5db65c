/** A cell with another directory, or another command, for user-supplied services. */
import type { UserCommand } from '@topo-bench/core/schema/user-service';
import type { Graph } from '@topo-bench/topology';
import type { ExperimentCell } from '@topo-bench/trial';
import { type Ref, refError } from './ref.ts';

/**
 * The cell with the ref in place of the fields of its topology. A topology as ref has been read before.
 * @throws TopoBenchError `TB_GATE_REF` if the topology has no command to replace, or several
 */
export function withRef(cell: ExperimentCell, ref: Ref): ExperimentCell {
  if (ref.kind === 'topology') return cell;
  requireReplaceable(commandsOf(cell.graph), ref);
  const graph: Graph = {
    ...cell.graph,
    services: cell.graph.services.map((service) =>
      service.user?.kind === 'command' ? { ...service, user: replaced(service.user, ref) } : service,
    ),
  };
  return { ...cell, graph };
}

/** User-supplied services that topo-bench starts. */
export function commandsOf({ services }: Graph): { name: string; user: UserCommand }[] {
  return services.flatMap(({ name, user }) => (user?.kind === 'command' ? [{ name, user }] : []));
}

function replaced(user: UserCommand, ref: Exclude<Ref, { kind: 'topology' }>): UserCommand {
  return ref.kind === 'directory' ? { ...user, baseDir: ref.path } : { ...user, command: ref.command };
}

function requireReplaceable(commands: readonly { name: string }[], ref: Exclude<Ref, { kind: 'topology' }>): void {
  if (commands.length === 0) {
    const text = ref.kind === 'directory' ? ref.path : ref.command;
    throw refError(
      `${JSON.stringify(text)} replaces nothing: the topology has no service of your own with a \`command\`${ref.kind === 'directory' ? ', and the directory holds neither the experiment nor its topology' : ''}`,
      'give a directory with another state of the experiment or of its topology, a topology file, or add your service: { name: pricing, command: "node server.js" }',
    );
  }
  if (ref.kind === 'command' && commands.length > 1) {
    const names = commands.map(({ name }) => `"${name}"`).join(', ');
    throw refError(
      `a command as ref replaces one service, and the topology has ${commands.length} of your own: ${names}`,
      'give directories as refs',
    );
  }
}

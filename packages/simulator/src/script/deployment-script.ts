/** A whole deployment as a script: all roles over one writer, and the first turn of each request at the generator. */
import {
  type ChangedRules,
  type GatewayRequest,
  type LastSeen,
  type RuleChange,
  TopoBenchError,
} from '@topo-bench/core';
import { Decider, flowRole, type GatewayAnswer } from '@topo-bench/flow';
import type { ConfirmRules } from '@topo-bench/flow/memory';
import { gatewayFor } from '@topo-bench/topology';
import type { SimulatedRole } from '../simulated-roles.ts';
import { operation, workNumber } from './operations.ts';
import { noFaults, RoleScript, type ScriptFaults, type ScriptPeers } from './role-script.ts';
import type { TokenHashing } from './token-hashing.ts';
import type { OpenCall, TurnWriter } from './turn-writer.ts';

/** Connections of a role to one peer. */
export interface Pool {
  process: number;
  peer: number;
  maxConnections: number;
}

export interface SimulatedGateway {
  process: number;
  region: string;
}

/** What a client has of its request: an answer, no connection, or one that the crash of the gateway has ended. */
export type ClientAnswer = GatewayAnswer | 'connection-refused' | 'connection-reset';

/** What does not change while a deployment runs: its rule engines and pools. */
export interface ScriptParts {
  roles: readonly SimulatedRole[];
  /** By role, with all versions of its rules; undefined for roles that decide nothing. */
  deciders: readonly (Decider | undefined)[];
  pools: readonly Pool[];
  /** Indexes of the gateways with their regions, the first for all other origins. */
  gateways: readonly [SimulatedGateway, ...SimulatedGateway[]];
}

/**
 * Loads the rule engines. All of them are the compiled one: it decides at once, and decides as every other engine does.
 * @throws TopoBenchError `TB_SIMULATE_UNSUPPORTED` for user-supplied services, whose times are unknown
 */
export async function scriptParts(roles: readonly SimulatedRole[]): Promise<ScriptParts> {
  const user = roles[0]?.graph.services.find(({ userPath }) => userPath !== undefined);
  if (user) {
    const message = `a user-supplied service cannot be simulated: got ${user.name}, whose time is unknown`;
    throw new TopoBenchError('TB_SIMULATE_UNSUPPORTED', message, {
      hint: 'give the service a `work` law in place of its program, or measure with `topo-bench run`',
    });
  }
  const processes = new Map(roles.map(({ name }, process) => [name, process] as const));
  const deciders = await Promise.all(
    roles.map((role) =>
      role.kind === 'gateway' || role.kind === 'service'
        ? undefined
        : Decider.load({ ...role, engine: 'compiled' }, (reason) => {
            throw new TopoBenchError('TB_INTERNAL', `${role.name} ${reason}`);
          }),
    ),
  );
  const pools = roles.flatMap(({ peers }, process) =>
    Object.entries(peers).map(([name, { maxConnections }]) => {
      return { process, peer: processes.get(name) as number, maxConnections };
    }),
  );
  const gateways = roles.flatMap(({ kind, node, graph }, process) => {
    return kind === 'gateway' ? { process, region: graph.nodes[node]?.region as string } : [];
  });
  return { roles, deciders, pools, gateways: gateways as [SimulatedGateway, ...SimulatedGateway[]] };
}

export class DeploymentScript {
  readonly scripts: RoleScript[];
  private readonly byName = new Map<string, RoleScript>();
  private readonly start: (process: number, rules?: ChangedRules) => RoleScript;
  /** By process of a gateway: requests of clients that wait for an answer. */
  private readonly clients = new Map<number, Set<OpenCall>>();

  constructor(
    private readonly parts: ScriptParts,
    private readonly writer: TurnWriter,
    hashing: TokenHashing,
    private readonly faults: ScriptFaults = noFaults,
  ) {
    const { roles, deciders, pools } = parts;
    const { byName } = this;
    const poolOf = new Map(pools.map(({ process, peer }, pool) => [`${process} ${roles[peer]?.name}`, pool] as const));
    const peers: ScriptPeers = {
      poolOf: (process, to) => poolOf.get(`${process} ${to}`) as number,
      roleNamed: (name) => byName.get(name) as RoleScript,
      faults,
      search: ({ request }, machine) => machine.found(request, this.lastSeen(request.id, machine.role.name)),
    };
    this.start = (process, rules) => {
      const role = { ...(roles[process] as SimulatedRole), ...rules };
      const script = new RoleScript(flowRole(role, hashing), process, deciders[process], writer, peers);
      byName.set(role.name, script);
      return script;
    };
    this.scripts = roles.map((_, process) => this.start(process));
  }

  /**
   * The turn in which a generator sends a request.
   * @param respond takes the answer of the gateway, with tokens for digests
   */
  request(request: GatewayRequest & { id: string }, respond: (answer: ClientAnswer) => void): number {
    const { writer, parts, faults } = this;
    const generator = parts.roles.length;
    return writer.turn(generator, () => {
      const { id, fieldCategories = {}, ...facts } = request;
      const bytes = JSON.stringify(facts.payload).length;
      const { process } = gatewayFor(parts.gateways, facts.origin);
      if (faults.isDown((parts.roles[process] as SimulatedRole).name)) {
        respond('connection-refused');
        writer.write(operation.cost, workNumber('post'), bytes);
        writer.write(operation.refused);
        return;
      }
      const text = JSON.stringify({ id, request: facts, fieldCategories });
      const collect = (): void => {
        writer.write(operation.cost, workNumber('collect'));
        writer.write(operation.collect);
      };
      const answered = writer.turn(generator, collect);
      const waiting = this.clientsOf(process);
      const reset = writer.callOf(() => {
        writer.drop(answered);
        respond('connection-reset');
        collect();
      });
      waiting.add(reset);
      const arrival = writer.turn(process, () => {
        const gateway = this.scripts[process] as RoleScript;
        gateway.begin('accept', bytes);
        writer.write(operation.serve);
        writer.write(operation.open);
        const ended = (answer: GatewayAnswer): void => {
          waiting.delete(reset);
          respond(answer);
        };
        gateway.machine.request({ turn: answered, respond: ended }, JSON.parse(text), writer.nowUs);
      });
      writer.write(operation.cost, workNumber('post'), bytes);
      writer.write(operation.post, arrival);
    });
  }

  /** The turn of a role that takes changed rules. Its answer reaches the control side where the load is generated. */
  changeRules(process: number, change: RuleChange, confirmed: ConfirmRules): number {
    const { writer, parts } = this;
    const text = JSON.stringify(change);
    const answer: ConfirmRules = (version) => {
      writer.write(
        operation.reply,
        writer.turn(parts.roles.length, () => confirmed(version)),
      );
    };
    return writer.turn(process, () => {
      const role = this.scripts[process] as RoleScript;
      role.begin('receive', text.length);
      role.machine.changeRules({ turn: -1, confirmed: answer }, JSON.parse(text), writer.nowUs);
    });
  }

  /** Requests of clients whose connections end when that gateway crashes. */
  clientsOf(process: number): Set<OpenCall> {
    const clients = this.clients.get(process) ?? new Set();
    this.clients.set(process, clients);
    return clients;
  }

  /** A role starts again, without its state. @param rules that it was sent */
  restart(process: number, rules: ChangedRules): void {
    this.clients.delete(process);
    this.scripts[process] = this.start(process, rules);
  }

  private lastSeen(id: string, asking: string): Map<string, LastSeen> {
    const seen = new Map<string, LastSeen>();
    for (const { machine } of this.scripts) {
      const { name } = machine.role;
      const found = name === asking || !this.faults.answers(name) ? undefined : machine.seen.find(id);
      if (found) seen.set(machine.role.name, found);
    }
    return seen;
  }
}

/**
 * A whole deployment in memory on a simulated clock: performs the effects of runs on a calendar, without HTTP. Messages
 * travel as the JSON of the wire. An unloaded system has no queues, so that time passes by link delays and work alone.
 */
import { type DeliveryKeys, deliveredDigests, type GatewayRequest, type GatewayResponse } from '@topo-bench/core';
import type { Graph } from '@topo-bench/topology';
import { serviceTimeUs } from '@topo-bench/workload';
import {
  beginFlow,
  type Crossing,
  Decider,
  type FlowEffect,
  type FlowMessage,
  type FlowRole,
  FlowRun,
  ForkTable,
  flowRole,
  gatewayAnswer,
  HopFailure,
  type Outcome,
  receiveFlow,
  type WorkMessage,
} from '../src/index.ts';
import { rolesOf } from './roles.ts';

export interface MemoryDeployment {
  keys: DeliveryKeys;
  /** Effects that were performed, by kind. */
  performed: ReadonlyMap<FlowEffect['kind'], number>;
  /** Forks that are still open. */
  openForks(): number;
  send(request: GatewayRequest): Promise<GatewayResponse>;
}

export interface MemoryOptions {
  seed?: number;
  secret?: string;
  /** Roles and services that cannot be reached. */
  down?: readonly string[];
}

/** A role, its open forks, and its rules. */
interface Place {
  role: FlowRole;
  forks: ForkTable;
  decider: Decider | undefined;
}

/** A run, the role that it is in, and the receiver of its answer in nested style. */
interface Task {
  place: Place;
  run: FlowRun;
  answered?: (outcome: Outcome) => Promise<void>;
}

const copy = <T>(value: unknown): T => JSON.parse(typeof value === 'string' ? value : JSON.stringify(value)) as T;

export async function memoryDeployment(
  graph: Graph,
  { seed = 1, secret = 'a test', down = [] }: MemoryOptions = {},
): Promise<MemoryDeployment> {
  const places = new Map<string, Place>();
  for (const config of rolesOf(graph, { seed, secret })) {
    const enforces = config.kind !== 'gateway' && config.kind !== 'service';
    const decider = enforces ? await Decider.load(config, fail) : undefined;
    places.set(config.name, { role: flowRole(config), forks: new ForkTable(), decider });
  }
  const gateway = places.get('gateway') as Place;
  const { digestKey, pseudonymKey } = gateway.role.secrets;
  const performed = new Map<FlowEffect['kind'], number>();
  const calendar = new Calendar();
  let finished: ((outcome: Outcome) => void) | undefined;

  const linkUs = (from: number, to: number): number => graph.links[from]?.[to]?.delayUs ?? 0;
  const cross = (place: Place, { node }: Pick<Crossing, 'node'>, arrive: () => Promise<void>): void =>
    calendar.after(linkUs(place.role.node, node), arrive);
  const workUs = (service: number, id: string): number => {
    const { work, name } = graph.services[service] as Graph['services'][number];
    return serviceTimeUs(work, seed, id, name);
  };

  async function start(task: Task): Promise<void> {
    await perform(task, task.run.start(calendar.nowUs));
  }

  async function perform(task: Task, effect: FlowEffect): Promise<void> {
    const { place, run } = task;
    const { role, forks, decider } = place;
    const { flow } = run;
    const { id } = flow.state;
    performed.set(effect.kind, (performed.get(effect.kind) ?? 0) + 1);
    const next = (following: FlowEffect): Promise<void> => perform(task, following);
    switch (effect.kind) {
      case 'decide': {
        const decision = await (decider as Decider).decide(effect.service, flow.request, flow.visited);
        return next(run.decided(decision, calendar.nowUs));
      }
      case 'work':
        return calendar.after(workUs(effect.service, id), () => next(run.worked(calendar.nowUs)));
      case 'call': {
        const { crossing, service, redacted } = effect;
        if (down.includes(crossing.to)) return next(run.failed(unreachable(crossing.to)));
        const { from, request } = copy<WorkMessage>(flow.workText(role.node, crossing.hop, redacted));
        const awayUs = linkUs(role.node, crossing.node) + workUs(service, id) + linkUs(crossing.node, from);
        return calendar.after(awayUs, () => {
          return next(run.delivered(deliveredDigests(request.payload, digestKey), calendar.nowUs));
        });
      }
      case 'forward': {
        const { crossing } = effect;
        if (down.includes(crossing.to)) return next(run.failed(unreachable(crossing.to)));
        return cross(place, crossing, async () => {
          const to = places.get(crossing.to) as Place;
          const message = copy<FlowMessage>(flow.messageText(role.node, flow.expiresUs - calendar.nowUs));
          const received = new FlowRun(to.role, receiveFlow(message, to.role, calendar.nowUs));
          if (role.style === 'nested') {
            return start({
              place: to,
              run: received,
              answered: (outcome) => next(run.forwarded(crossing.to, outcome)),
            });
          }
          await next(run.forwarded(crossing.to, undefined));
          return start({ place: to, run: received });
        });
      }
      case 'fork': {
        const key = forks.begin(effect.branches, (outcomes) => {
          calendar.after(0, () => next(run.joined(outcomes, calendar.nowUs)));
        });
        for (let i = 0; i < effect.branches; i++) await start({ place, run: run.branch(i, key) });
        return;
      }
      case 'handed-over':
        return forks.handedOver(flow.state, effect.to);
      case 'join':
        return expectJoined(forks, effect.outcome);
      case 'report': {
        const outcome = copy<Outcome>(effect.outcome);
        return cross(place, effect.crossing, async () => {
          if (outcome.state.join < 0) finished?.(outcome);
          else expectJoined((places.get(effect.crossing.to) as Place).forks, outcome);
        });
      }
      case 'answer': {
        const { back, outcome } = effect;
        if (!back) return finished?.(outcome);
        return cross(place, back, async () => task.answered?.(copy<Outcome>(outcome)));
      }
    }
  }

  return {
    keys: { digestKey, pseudonymKey },
    performed,
    openForks: () => [...places.values()].reduce((sum, { forks }) => sum + forks.size, 0),
    send: async ({ id = 'x', fieldCategories = {}, ...request }) => {
      const t0Us = calendar.nowUs;
      let ended: { outcome: Outcome; rttUs: number } | undefined;
      finished = (outcome) => {
        if (ended) throw new Error(`the request ${id} ended twice`);
        ended = { outcome, rttUs: calendar.nowUs - t0Us };
      };
      const flow = beginFlow(gateway.role, copy({ id, request, fieldCategories }), t0Us);
      await start({ place: gateway, run: new FlowRun(gateway.role, flow) });
      await calendar.drain();
      if (!ended) throw new Error(`the request ${id} did not end`);
      const { state, verdict } = ended.outcome;
      return gatewayAnswer(gateway.role.graph, state, verdict, ended.rttUs, false).response;
    },
  };
}

/** Events in the order of their times, and of their making where these are equal. */
class Calendar {
  nowUs = 0;
  private readonly events: { atUs: number; happen: () => Promise<void> }[] = [];

  after(delayUs: number, happen: () => Promise<void>): void {
    const atUs = this.nowUs + delayUs;
    const place = this.events.findIndex((event) => event.atUs > atUs);
    this.events.splice(place < 0 ? this.events.length : place, 0, { atUs, happen });
  }

  async drain(): Promise<void> {
    for (let event = this.events.shift(); event; event = this.events.shift()) {
      this.nowUs = event.atUs;
      await event.happen();
    }
  }
}

function expectJoined(forks: ForkTable, outcome: Outcome): void {
  if (!forks.arrive(outcome))
    throw new Error(`no fork waits for branch ${outcome.state.branch} of ${outcome.state.id}`);
}

function unreachable(hop: string): HopFailure {
  return new HopFailure('unreachable', hop, `${hop} is down`);
}

function fail(reason: string): never {
  throw new Error(reason);
}

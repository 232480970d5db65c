/** One step of a flow: decide, record, and give the service what it may have. Under `none` the service just works. */
import { type DeliveredDigests, deliveredDigests } from '@topo-bench/core/delivered-digest';
import type { GraphService } from '@topo-bench/core/deployment-graph';
import type { Flow } from '@topo-bench/flow';
import {
  addExposure,
  type Detour,
  effectCode,
  HopFailure,
  noteDelivery,
  placeCopy,
  type Redaction,
  redactPayload,
  type Verdict,
  type Withheld,
} from '@topo-bench/flow';
import type { RoleCounters } from '../control/role-counters.ts';
import type { SpanRecorder } from '../control/span-recorder.ts';
import type { FullConfig } from '../full-config.ts';
import type { ServiceWork } from '../service/service-work.ts';
import type { Courier } from './courier.ts';
import type { Decider } from './decider.ts';

type Service = GraphService;

/** What becomes of the flow: undefined lets it go on, at the alternative if `state.detour` was set. */
export type StepRunner = (flow: Flow, service: number) => Promise<Verdict | undefined>;

/** The step of a service without enforcement: its own work, here. */
export function workStep(work: ServiceWork, digestKey: string): StepRunner {
  return async ({ state, request }, index) => {
    noteDelivery(state.delivered, index, deliveredDigests(request.payload, digestKey));
    await work.run(state.id);
    return undefined;
  };
}

/** The step of a service of the user's without enforcement: the role beside it calls it and carries the flow on. */
export function callStep(service: Service, courier: Courier): StepRunner {
  return async (flow, index) => {
    noteDelivery(flow.state.delivered, index, await courier.callService(flow, service));
    return undefined;
  };
}

/** Steps under an enforcement point: nothing is sent to a service before the decision. */
export class EnforcedSteps {
  constructor(
    private readonly config: FullConfig,
    private readonly decider: Decider,
    private readonly courier: Courier,
    private readonly counters: RoleCounters,
    private readonly spans: SpanRecorder,
  ) {}

  /** @throws HopFailure */
  readonly run: StepRunner = async (flow, index) => {
    const { state } = flow;
    const service = this.config.graph.services[index] as Service;
    const startUs = this.spans.start(state.id);
    const decision = await this.decider.decide(index, flow.request, flow.visited);
    this.spans.end(startUs, state.id, 'decide', service.name);
    const { detour } = state;
    // One reroute per step: a second is a denial by the rule that asked for it.
    const effect = decision.effect === 'reroute' && detour ? 'deny' : decision.effect;
    state.steps.push(index, effectCode[effect], decision.ruleIndex);
    this.counters.decisions[effect]++;
    if (effect === 'deny' || effect === 'reroute') {
      this.expose(flow, service, 'everything');
      if (effect === 'deny') return { kind: 'refused', service: index, rule: decision.ruleIndex };
      state.detour = { service: this.alternative(decision.to), remove: decision.remove, pseudonymise: decision.pseudonymise };
      return undefined;
    }
    noteDelivery(state.delivered, index, await this.give(flow, service, unite(decision, detour)));
    flow.visit(index);
    return undefined;
  };

  /** Sends the service its copy; the flow keeps the original. @returns digests of what has arrived */
  private async give(flow: Flow, service: Service, redaction: Redaction): Promise<DeliveredDigests> {
    const { state, request } = flow;
    const withheld = [...redaction.remove, ...redaction.pseudonymise];
    if (withheld.length > 0) this.expose(flow, service, withheld);
    placeCopy(state.placed, service.node, withheld);
    if (withheld.length === 0) return this.courier.callService(flow, service);
    const payload = redactPayload(request.payload, redaction, this.config.secrets.pseudonymKey);
    return this.courier.callService(flow, service, { ...request, payload });
  }

  private expose({ state, request, fieldCategories }: Flow, { node }: Service, withheld: Withheld): void {
    if (!state.reached.includes(node)) return;
    addExposure(state.exposureBytes, request.payload, fieldCategories, withheld, state.placed[node] ?? []);
  }

  private alternative(name: string | undefined): number {
    const index = this.config.graph.services.findIndex((service) => service.name === name);
    if (index < 0) throw new HopFailure('internal', this.config.name, `a rule reroutes to ${name}, which is no service`);
    return index;
  }
}

/** What the step's own decision withholds, and what the first target's rules withheld before a reroute. */
function unite(own: Redaction, detour: Detour | undefined): Redaction {
  if (!detour) return own;
  const remove = [...new Set([...own.remove, ...detour.remove])];
  const pseudonymise = [...new Set([...own.pseudonymise, ...detour.pseudonymise])];
  return { remove, pseudonymise: pseudonymise.filter((pointer) => !remove.includes(pointer)) };
}

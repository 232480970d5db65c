/**
 * The traces of a deployment: one for each kind of request, recorded when the first request of that kind appears. They
 * replace flow and rule engine for all others.
 */
import { type GatewayRequest, type Hashing, hash32 } from '@topo-bench/core';
import type { GatewayAnswer } from '@topo-bench/flow';
import type { ScriptParts } from '../script/deployment-script.ts';
import { addTraceDemand, noDemand, spreadEvenly, type TraceDemand } from '../trace-demand.ts';
import { requestKinds } from './request-kind.ts';
import { type Trace, TraceRecorder, type TurnTable } from './trace-recorder.ts';

/** Traces as the engine performs them. */
export interface Program {
  /** `operationSize` numbers per operation. */
  code: Int32Array;
  /** By turn. */
  start: Int32Array;
  process: Int32Array;
  /** By request: its first turn, and its trace. */
  firstTurn: Int32Array;
  traceOf: Int32Array;
  /** By trace: branches by fork. */
  branches: readonly (readonly number[])[];
}

export class Traces {
  private readonly recorder: TraceRecorder;
  private readonly kindOf: (request: GatewayRequest) => string;
  /** Processes of each enforcement point. */
  private readonly replicas: number;
  /** Processes among which callers take turns, by enforcement point. */
  private readonly inTurn: readonly (readonly number[])[];
  private readonly table: TurnTable = { code: [], start: [], process: [] };
  private readonly known = new Map<string, number>();
  readonly list: Trace[] = [];

  private readonly roles: number;
  private readonly services: number;

  constructor(parts: ScriptParts) {
    this.roles = parts.roles.length;
    this.services = parts.roles[0]?.graph.services.length ?? 0;
    this.recorder = new TraceRecorder(parts, this.table);
    this.kindOf = requestKinds(parts.roles.map(({ rules }) => rules));
    const { names = {}, spread } = parts.roles[0]?.graph.replicas ?? {};
    const points = spread === 'round-robin' ? Object.values(names) : [];
    this.inTurn = points.map((all) => all.map((name) => parts.roles.findIndex((role) => role.name === name)));
    this.replicas = Math.max(1, ...Object.values(names).map(({ length }) => length));
  }

  /** @returns the index of the trace of a request in `list` */
  traceOf(request: GatewayRequest & { id: string }): number {
    // The id alone chooses the replicas of a request.
    const kind = `${hash32(request.id) % this.replicas} ${this.kindOf(request)}`;
    const known = this.known.get(kind);
    if (known !== undefined) return known;
    const trace = this.list.push(this.recorder.record(request)) - 1;
    this.known.set(kind, trace);
    return trace;
  }

  /** The demand of the mean of these requests. A trace has one replica of each point, and a load takes turns. */
  demandOf(requests: readonly (GatewayRequest & { id: string })[]): TraceDemand {
    const weights = new Map<number, number>();
    for (const request of requests) {
      const trace = this.traceOf(request);
      weights.set(trace, (weights.get(trace) ?? 0) + 1 / requests.length);
    }
    const demand = noDemand(this.roles + 1, this.services);
    for (const [trace, weight] of weights) {
      addTraceDemand(demand, this.table, (this.list[trace] as Trace).turn, weight);
    }
    for (const processes of this.inTurn) spreadEvenly(demand, processes);
    return demand;
  }

  /** The answer of the gateway to a request of that trace, without a time. */
  answerTo(trace: number, request: GatewayRequest & { id: string }, hashing: Hashing): GatewayAnswer {
    const { request: recorded, answer } = this.list[trace] as Trace;
    const { status, response } = answer;
    const delivered = this.recorder.hashing.deliveredOf(response.delivered, recorded, request, hashing);
    return { status, response: { ...response, id: request.id, delivered } };
  }

  /** @param traceOf trace of each request */
  program(traceOf: Int32Array): Program {
    const { code, start, process } = this.table;
    const turns = Int32Array.from(this.list, ({ turn }) => turn);
    const firstTurn = new Int32Array(traceOf.length);
    for (let request = 0; request < traceOf.length; request++) {
      firstTurn[request] = turns[traceOf[request] as number] as number;
    }
    return {
      code: Int32Array.from(code),
      start: Int32Array.from(start),
      process: Int32Array.from(process),
      ...{ firstTurn, traceOf },
      branches: this.list.map(({ branches }) => branches),
    };
  }
}

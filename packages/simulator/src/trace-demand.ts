/** What requests of one kind demand of each process: sums over the operations of their trace. */
import { beginners, operation, operationSize, workKinds } from './script/operations.ts';
import type { TurnTable } from './traces/trace-recorder.ts';

/** Demand of one request, or of a mean one. By process: roles in the order of their plan, then one generator. */
export interface TraceDemand {
  turns: Float64Array;
  /** Requests that the process serves. */
  served: Float64Array;
  /** Operations at [process · kinds + kind], and the bytes in them. */
  operations: Float64Array;
  bytes: Float64Array;
  /** Runs of the `cpu` work of a service at [service · processes + process]. */
  work: Float64Array;
}

export function noDemand(processes: number, services: number): TraceDemand {
  return {
    turns: new Float64Array(processes),
    served: new Float64Array(processes),
    operations: new Float64Array(processes * workKinds.length),
    bytes: new Float64Array(processes * workKinds.length),
    work: new Float64Array(processes * services),
  };
}

/** Gives each of some processes the mean of their demands. */
export function spreadEvenly(demand: TraceDemand, processes: readonly number[]): void {
  const { turns, served, operations, bytes, work } = demand;
  const [kinds, rows] = [workKinds.length, turns.length];
  const even = (values: Float64Array, placeOf: (process: number) => number): void => {
    const places = processes.map(placeOf);
    const sum = places.reduce((total, place) => total + (values[place] as number), 0);
    for (const place of places) values[place] = sum / places.length;
  };
  for (const values of [turns, served]) even(values, (process) => process);
  for (const values of [operations, bytes]) {
    for (let kind = 0; kind < kinds; kind++) even(values, (process) => process * kinds + kind);
  }
  for (let first = 0; first < work.length; first += rows) even(work, (process) => first + process);
}

/**
 * Adds the demand of a trace. A fork continues once, at the role where its branches end.
 * @param first turn of the generator that sends the request
 * @param weight share of such requests
 */
export function addTraceDemand(to: TraceDemand, table: TurnTable, first: number, weight: number): void {
  const { code, start, process: processes } = table;
  const [kinds, roles] = [workKinds.length, to.turns.length];
  const continued = new Set<number>();
  const turns = [first];
  for (let turn = turns.pop(); turn !== undefined; turn = turns.pop()) {
    const process = processes[turn] as number;
    (to.turns[process] as number) += weight;
    for (let at = start[turn] as number; code[at] !== operation.end; at += operationSize) {
      const [a, b] = [code[at + 1] as number, code[at + 2] as number];
      if (beginners.has(code[at] as number)) turns.push(a);
      if (code[at] === operation.cost) {
        (to.operations[process * kinds + a] as number) += weight;
        (to.bytes[process * kinds + a] as number) += weight * b;
      }
      if (code[at] === operation.serve) (to.served[process] as number) += weight;
      if (code[at] === operation.cpu) (to.work[a * roles + process] as number) += weight;
      if (code[at] !== operation.join) continue;
      if (continued.has(a)) break;
      continued.add(a);
      at = b - operationSize;
    }
  }
}

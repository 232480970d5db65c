/**
 * Compiles the flow of a file to a program of steps and forks. The top level is a series. A list in a series is a
 * parallel group; a list in a group is a series.
 */
import type { FlowItem } from '@topo-bench/core/schema/topology';
import { type FlowInstruction, type FlowProgram, flowEnd } from './graph.ts';

/**
 * @param items names of services, as a series
 * @param serviceIndex index of a service by name; defined for every name of the flow
 * @returns instructions in file order, starting with the first
 */
export function compileFlow(items: readonly FlowItem[], serviceIndex: (name: string) => number): FlowProgram {
  // Compiled from the end: every instruction needs the next one. Numbers are reversed afterwards.
  const reversed: FlowInstruction[] = [];
  const emit = (instruction: FlowInstruction): number => reversed.push(instruction) - 1;

  const series = (members: readonly FlowItem[], next: number): number =>
    members.reduceRight<number>(
      (after, item) =>
        typeof item === 'string'
          ? emit({ kind: 'step', service: serviceIndex(item), next: after })
          : group(item, after),
      next,
    );
  const group = (members: readonly FlowItem[], next: number): number => {
    // A group of one has no parallel branch: it is part of the series.
    if (members.length === 1) return series(asSeries(members[0]!), next);
    const branches = members.toReversed().map((member) => series(asSeries(member), flowEnd));
    return emit({ kind: 'fork', branches: branches.toReversed(), next });
  };

  const start = series(items, flowEnd);
  const renumber = (at: number): number => (at === flowEnd ? flowEnd : reversed.length - 1 - at);
  const instructions = reversed
    .toReversed()
    .map(
      (instruction): FlowInstruction =>
        instruction.kind === 'step'
          ? { ...instruction, next: renumber(instruction.next) }
          : { ...instruction, branches: instruction.branches.map(renumber), next: renumber(instruction.next) },
    );
  return { start: renumber(start), instructions };
}

/** Names of a flow in file order, groups included. */
export function flowNames(items: readonly FlowItem[]): string[] {
  return items.flatMap((item) => (typeof item === 'string' ? [item] : flowNames(item)));
}

function asSeries(item: FlowItem): readonly FlowItem[] {
  return typeof item === 'string' ? [item] : item;
}

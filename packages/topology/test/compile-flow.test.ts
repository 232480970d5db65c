import type { FlowItem } from '@topo-bench/core/schema/topology';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileFlow, flowNames } from '../src/compile-flow.ts';
import { type FlowProgram, flowEnd } from '../src/graph.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f'];
const compile = (items: FlowItem[]): FlowProgram => compileFlow(items, (name) => names.indexOf(name));

/** Turns a program back into nested lists: independent of how it was compiled. */
function decompile({ start, instructions }: FlowProgram, nameOf: (service: number) => string): FlowItem[] {
  const series = (at: number): FlowItem[] => {
    if (at === flowEnd) return [];
    const instruction = instructions[at]!;
    const item =
      instruction.kind === 'step'
        ? nameOf(instruction.service)
        : instruction.branches.map((branch) => simplified(series(branch)));
    return [item, ...series(instruction.next)];
  };
  return series(start);
}

/** A branch of one step is written as the name alone; one of a single group stays a list. */
function simplified(branch: FlowItem[]): FlowItem {
  return branch.length === 1 && typeof branch[0] === 'string' ? branch[0] : branch;
}

describe('a flow', () => {
  it('of names is a chain of steps in file order', () => {
    expect(compile(['a', 'b'])).toEqual({
      start: 0,
      instructions: [
        { kind: 'step', service: 0, next: 1 },
        { kind: 'step', service: 1, next: flowEnd },
      ],
    });
  });

  it('with a list inside forks into its members and continues after them', () => {
    expect(compile(['a', ['b', 'c'], 'd'])).toEqual({
      start: 0,
      instructions: [
        { kind: 'step', service: 0, next: 1 },
        { kind: 'fork', branches: [2, 3], next: 4 },
        { kind: 'step', service: 1, next: flowEnd },
        { kind: 'step', service: 2, next: flowEnd },
        { kind: 'step', service: 3, next: flowEnd },
      ],
    });
  });

  it('alternates: a list inside a group is a series again, and a list in that a group', () => {
    const program = compile(['a', ['b', ['c', ['d', 'e']]], 'f']);
    const [, fork, , c, inner] = program.instructions;
    expect(fork).toEqual({ kind: 'fork', branches: [2, 3], next: 7 });
    expect(c).toEqual({ kind: 'step', service: 2, next: 4 });
    expect(inner).toEqual({ kind: 'fork', branches: [5, 6], next: flowEnd });
  });

  it('may open with a fork', () => {
    const program = compile([['a', 'b']]);
    expect(program.instructions[program.start]).toEqual({ kind: 'fork', branches: [1, 2], next: flowEnd });
  });

  it('has no fork for a group of one', () => {
    expect(compile(['a', [['b', 'c']], ['d']])).toEqual(compile(['a', 'b', 'c', 'd']));
  });

  it('equals the lists it was compiled from, at every depth', () => {
    let count = 0;
    const fresh = fc.constant(null).map(() => `n${count++}`);
    const { item } = fc.letrec<{ item: FlowItem }>((tie) => ({
      item: fc.oneof(
        { maxDepth: 5, withCrossShrink: true },
        fresh,
        fc.array(tie('item'), { minLength: 2, maxLength: 3 }),
      ),
    }));
    fc.assert(
      fc.property(fc.array(item, { minLength: 1, maxLength: 5 }), (items) => {
        const all = flowNames(items);
        const program = compileFlow(items, (name) => all.indexOf(name));
        expect(decompile(program, (service) => all[service]!)).toEqual(items);
        expect(program.instructions.flatMap((one) => (one.kind === 'step' ? [all[one.service]] : []))).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });
});

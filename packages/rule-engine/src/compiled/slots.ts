/** Assigns a slot to each distinct member in the rules of one target. A decision reads every slot once. */
import type { Facts } from '@topo-bench/core';
import { type Operand, valueAt } from '../expression.ts';

export type FactOperand = Exclude<Operand, { literal: unknown }>;

/** Values of one decision, by slot. */
export type SlotValues = unknown[];

export class Slots {
  private readonly operands: FactOperand[] = [];
  private readonly slotByKey = new Map<string, number>();

  /** The slot of an operand, new or known. */
  of(operand: FactOperand): number {
    const key = JSON.stringify([operand.fact, ...operand.path]);
    const known = this.slotByKey.get(key);
    if (known !== undefined) return known;
    this.slotByKey.set(key, this.operands.length);
    return this.operands.push(operand) - 1;
  }

  get count(): number {
    return this.operands.length;
  }

  /** Fills `values`; its length must be `count`. */
  read(facts: Facts, values: SlotValues): void {
    for (let slot = 0; slot < this.operands.length; slot++) {
      const { fact, path } = this.operands[slot] as FactOperand;
      values[slot] = valueAt(facts[fact], path);
    }
  }
}

/** Faults of a load on its calendar: what they do to messages, and the instants at which roles stop and continue. */
import { type MemoryFault, MessageFaultsInMemory } from '@topo-bench/flow/memory';
import type { ScriptFaults } from '../script/role-script.ts';

export interface FaultInstant {
  atUs: number;
  kind: 'crash' | 'restart' | 'freeze' | 'thaw';
  role: string;
}

export class PlannedFaults implements ScriptFaults {
  /** In the order of their times; an end goes before a begin of the same time. */
  readonly instants: readonly FaultInstant[];
  private readonly messages: MessageFaultsInMemory;
  private readonly down = new Set<string>();
  private readonly frozen = new Set<string>();

  constructor(faults: readonly MemoryFault[]) {
    this.messages = new MessageFaultsInMemory(faults);
    const instants = faults.flatMap((fault): FaultInstant[] => {
      if (fault.kind !== 'crash' && fault.kind !== 'freeze') return [];
      const { kind, atUs } = fault;
      const lastsUs = kind === 'crash' ? fault.restartUs : fault.forUs;
      const end = kind === 'crash' ? ('restart' as const) : ('thaw' as const);
      return fault.roles.flatMap((role) => [
        { atUs, kind, role },
        ...(lastsUs === undefined ? [] : [{ atUs: atUs + lastsUs, kind: end, role }]),
      ]);
    });
    const isEnd = ({ kind }: FaultInstant): boolean => kind === 'restart' || kind === 'thaw';
    this.instants = instants.sort((a, b) => a.atUs - b.atUs || Number(isEnd(b)) - Number(isEnd(a)));
  }

  /** An instant is reached. @returns false for the thaw of a role that has crashed since */
  begin({ kind, role }: FaultInstant): boolean {
    if (kind === 'crash') {
      this.down.add(role);
      this.frozen.delete(role);
    } else if (kind === 'restart') this.down.delete(role);
    else if (kind === 'freeze') this.frozen.add(role);
    else return !this.down.has(role) && this.frozen.delete(role);
    return true;
  }

  delayUs(role: string, nowUs: number): number {
    return this.messages.delayUs(role, nowUs);
  }

  loses(from: string, to: string, nowUs: number): boolean {
    return this.messages.loses(from, to, nowUs);
  }

  isDown(role: string): boolean {
    return this.down.has(role);
  }

  answers(role: string): boolean {
    return !this.down.has(role) && !this.frozen.has(role);
  }
}

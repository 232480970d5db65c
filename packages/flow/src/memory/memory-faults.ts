/** Planned faults of a deployment in memory, in virtual time: the events of an experiment on its roles. */

interface OnRoles {
  atUs: number;
  roles: readonly string[];
}

export type MemoryFault =
  /** The state of the roles is lost. Without `restartUs` they stay down. */
  | (OnRoles & { kind: 'crash'; restartUs?: number })
  | (OnRoles & { kind: 'freeze'; forUs: number })
  | (OnRoles & { kind: 'slow'; delayUs: number; forUs: number })
  | {
      kind: 'partition';
      atUs: number;
      sides: readonly [from: readonly string[], to: readonly string[]];
      oneWay: boolean;
      forUs: number;
    };

type Lasting = Extract<MemoryFault, { kind: 'slow' | 'partition' }>;

/** Faults of messages at a time. Those of roles are states of the roles. */
export class MessageFaultsInMemory {
  readonly #faults: readonly Lasting[];

  constructor(faults: readonly MemoryFault[]) {
    this.#faults = faults.filter((fault) => fault.kind === 'slow' || fault.kind === 'partition');
  }

  /** Delay of each message that a role sends. */
  delayUs(role: string, nowUs: number): number {
    const delays = this.#at(nowUs).map((fault) =>
      fault.kind === 'slow' && fault.roles.includes(role) ? fault.delayUs : 0,
    );
    return Math.max(0, ...delays);
  }

  /** Whether a message or an answer from one role to another is lost. */
  loses(from: string, to: string, nowUs: number): boolean {
    return this.#at(nowUs).some((fault) => {
      if (fault.kind !== 'partition') return false;
      const [first, second] = fault.sides;
      const forth = first.includes(from) && second.includes(to);
      return forth || (!fault.oneWay && second.includes(from) && first.includes(to));
    });
  }

  #at(nowUs: number): Lasting[] {
    return this.#faults.filter(({ atUs, forUs }) => atUs <= nowUs && nowUs < atUs + forUs);
  }
}

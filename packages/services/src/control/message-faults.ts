/** Faults of the messages of this role that an experiment asks for: delays, and peers that a partition separates. */
import { headers as headerNames, type MessageFaults, noMessageFaults } from '@topo-bench/core';
import type { RoleSecrets } from '@topo-bench/core/role-secrets';
import type { Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { tokenGuard } from '../http/token-guard.ts';

export class FaultState {
  delayUs = 0;
  #to: ReadonlySet<string> = new Set();
  #from: ReadonlySet<string> = new Set();

  set({ delayUs, to, from }: MessageFaults): void {
    this.delayUs = delayUs;
    this.#to = new Set(to);
    this.#from = new Set(from);
  }

  /** Whether messages to that peer are lost. */
  losesTo(peer: string): boolean {
    return this.#to.has(peer);
  }

  /** Whether answers of that peer are lost. */
  losesFrom(peer: string): boolean {
    return this.#from.has(peer);
  }
}

/** `POST /control/faults` with `MessageFaults` replaces the faults of this role. */
export function faultRoute({ controlToken }: Pick<RoleSecrets, 'controlToken'>, state: FaultState): Route {
  return {
    method: 'POST',
    path: '/control/faults',
    refuse: tokenGuard(headerNames.control, controlToken),
    handle: (call) => {
      const faults = { ...noMessageFaults, ...(call.body as Partial<MessageFaults>) };
      const { delayUs, to, from } = faults;
      if (!(Number.isFinite(delayUs) && delayUs >= 0) || ![to, from].every(isNames)) {
        throw new HttpProblem(400, 'bad-request', 'expected { delayUs, to: [names], from: [names] }');
      }
      state.set(faults);
      call.answer(200, '{}');
    },
  };
}

function isNames(value: unknown): boolean {
  return Array.isArray(value) && value.every((name) => typeof name === 'string');
}

/** Roles whose containers ended before their deployment, as the cluster reports them. */
import { setTimeout as sleep } from 'node:timers/promises';

/** A role stops answering before the cluster reports its end. */
const reportedWithinMs = 3000;

export class Endings {
  readonly #roles = new Set<string>();
  readonly #waiting = new Map<string, AbortController>();

  get roles(): ReadonlySet<string> {
    return this.#roles;
  }

  add(role: string): void {
    this.#roles.add(role);
    this.#waiting.get(role)?.abort();
  }

  /** Whether the end of a role is reported now or within seconds. */
  async include(role: string): Promise<boolean> {
    if (this.#roles.has(role)) return true;
    const reported = this.#waiting.get(role) ?? new AbortController();
    this.#waiting.set(role, reported);
    await sleep(reportedWithinMs, undefined, reported).catch(() => undefined);
    return this.#roles.has(role);
  }
}

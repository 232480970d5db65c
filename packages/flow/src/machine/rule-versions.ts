/**
 * The versions of the rules of one role. New rules are prepared next to those in force, swapped at once, then
 * confirmed: every later decision uses them, unless its request is stamped with an older version. Stamps only increase,
 * so older versions are dropped when the last request before a newer stamp has reached its deadline.
 */
import type { RuleChange } from '@topo-bench/core';
import type { FlowRole } from '../flow-role.ts';
import { HopFailure } from '../hop-failure.ts';
import type { RoleEffect, RulesTimer } from './role-effect.ts';
import type { FlowTask } from './task.ts';

export class RuleVersions<Reply> {
  /** Ids of rules by version and index; the gateway knows those of all versions. */
  readonly ruleIds: (readonly string[])[];
  /** At an enforcement point: its newest rules. At the gateway: the stamp of requests. */
  private inForce: number;
  /** Prepared versions of an enforcement point that it has not dropped. */
  private readonly held: Set<number>;
  /** Versions before this one are dropped. */
  private dropped: number;
  private newestStamp = 0;
  private readonly waiting = new Set<RulesTimer<Reply>>();

  constructor(
    private readonly role: FlowRole,
    private readonly perform: (effect: RoleEffect<Reply>) => void,
  ) {
    this.ruleIds = [role.graph.ruleIds];
    for (const [version, ids] of role.changedRuleIds ?? []) this.ruleIds[version] = ids;
    this.inForce = role.rulesVersion ?? 0;
    this.held = new Set([this.inForce]);
    this.dropped = this.inForce;
  }

  /** The stamp of a request that enters now; undefined: each point decides by the rules that it has. */
  get stamp(): number | undefined {
    return this.isVersioned ? this.inForce : undefined;
  }

  /** The newest version of an enforcement point. */
  get newest(): number {
    return this.inForce;
  }

  /** @param reply of the control side; absent for rules that this role has fetched */
  change(reply: Reply | undefined, change: RuleChange): void {
    const { version, ruleIds, stamped } = change;
    if (this.role.kind === 'gateway') {
      if (ruleIds) this.ruleIds[version] = ruleIds;
      if (stamped && version > this.inForce) this.inForce = version;
      this.confirm(reply, version);
    } else if (this.held.has(version) || !this.mayNeed(version)) this.confirm(reply, version);
    else this.perform({ kind: 'prepare-rules', change, reply });
  }

  /** Swaps, then confirms. @param decide continues a step that has waited for these rules */
  prepared(reply: Reply | undefined, version: number, decide: (timer: RulesTimer<Reply>) => void): void {
    this.held.add(version);
    if (version > this.inForce) {
      this.inForce = version;
      if (!this.isVersioned) this.drop(version);
    }
    this.confirm(reply, version);
    for (const timer of [...this.waiting]) {
      if (!this.held.has(timer.step.version)) continue;
      this.waiting.delete(timer);
      this.perform({ kind: 'cancel', timer });
      decide(timer);
    }
  }

  refused(reply: Reply | undefined, version: number, message: string): void {
    if (reply !== undefined) this.perform({ kind: 'refuse-rules', reply, version, message });
  }

  /** @returns the version that decides a step; undefined when the step waits for it */
  versionFor(task: FlowTask<Reply>, service: number, nowUs: number): number | undefined {
    const { flow } = task.run;
    const version = flow.state.version ?? this.inForce;
    this.noteStamp(version);
    // Without a version that is dropped, the step is refused at once.
    if (this.held.has(version) || !this.mayNeed(version)) return version;
    const afterUs = Math.max(0, Math.min(this.role.deadlines.hopUs, flow.expiresUs - nowUs));
    const timer: RulesTimer<Reply> = { step: { task, service, version }, afterUs, handle: undefined };
    this.waiting.add(timer);
    this.perform({ kind: 'timer', timer });
    return undefined;
  }

  /** The rules did not come in time. @returns the failure of the step */
  expired(timer: RulesTimer<Reply>): HopFailure {
    this.waiting.delete(timer);
    const { name } = this.role;
    const { version } = timer.step;
    return new HopFailure(
      'no-rules',
      name,
      `${name} has rules ${this.inForce}, and the request needs rules ${version}`,
    );
  }

  /** No later decision uses a version before this one. */
  drop(before: number): void {
    this.dropped = Math.max(this.dropped, before);
    for (const version of this.held) if (version < before) this.held.delete(version);
    this.perform({ kind: 'drop-rules', before });
  }

  private get isVersioned(): boolean {
    return this.role.consistency === 'versioned';
  }

  /** A point that requests are not stamped for needs its newest rules only. */
  private mayNeed(version: number): boolean {
    return version >= (this.isVersioned ? this.dropped : this.inForce);
  }

  /** Requests without this stamp have entered before. */
  private noteStamp(version: number): void {
    if (!this.isVersioned || version <= this.newestStamp) return;
    this.newestStamp = version;
    const afterUs = this.role.deadlines.requestUs;
    this.perform({ kind: 'timer', timer: { before: version, afterUs, handle: undefined } });
  }

  private confirm(reply: Reply | undefined, version: number): void {
    if (reply !== undefined) this.perform({ kind: 'confirm-rules', reply, version });
  }
}

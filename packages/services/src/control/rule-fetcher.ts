/** An enforcement point that fetches its rules from the gateway, at an interval or with a question that stays open. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { RuleChange } from '@topo-bench/core';
import type { RolePerformer } from '../executor/role-performer.ts';
import type { RoleParts } from '../role-parts.ts';
import { openQuestionMs } from './rule-routes.ts';

const answerWithinMs = 5000;
const pauseAfterFailureMs = 100;

/** @returns ends it */
export function fetchRules(
  { config, client, warn }: Pick<RoleParts, 'config' | 'client' | 'warn'>,
  performer: RolePerformer,
): () => void {
  const { name, fetchRules: plan, secrets } = config;
  const ended = new AbortController();
  if (plan) void run(plan);
  return () => ended.abort();

  async function run({ from, everyUs }: NonNullable<typeof plan>): Promise<void> {
    const [route, withinMs] =
      everyUs === undefined ? ['rules-next', openQuestionMs + answerWithinMs] : ['rules', answerWithinMs];
    let version = 0;
    let hasFailed = false;
    while (!ended.signal.aborted) {
      let pauseMs = (everyUs ?? 0) / 1000;
      try {
        const path = `/control/${route}/${encodeURIComponent(`${name}@${version}`)}`;
        const { status, text } = await client.readControl(from, path, secrets.controlToken, withinMs);
        if (status === 200) {
          const change = JSON.parse(text) as RuleChange;
          version = change.version;
          performer.takeRules(undefined, change);
        } else if (status !== 204) throw new Error(`status ${status}: ${text.slice(0, 200)}`);
        hasFailed = false;
      } catch (error) {
        if (!hasFailed && !ended.signal.aborted) warn(`cannot fetch rules: ${(error as Error).message}`);
        hasFailed = true;
        pauseMs = Math.max(pauseMs, pauseAfterFailureMs);
      }
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: ended.signal, ref: false }).catch(() => undefined);
    }
  }
}

/** Changes the rules of a running deployment over the control routes of its roles, and waits for all confirmations. */
import type { RulesConfirmed } from '@topo-bench/core';
import { type DeploymentRuleChange, ruleMessages } from '@topo-bench/deployment';

/** One request to a role. @throws TopoBenchError `TB_ROLE_NO_ANSWER`, also when it refuses the rules */
export type AskRole = <Answer>(role: string, method: 'GET' | 'POST', path: string, body?: unknown) => Promise<Answer>;

/**
 * Resolves when every enforcement point uses the new rules for all later decisions, and every later request is stamped
 * with them.
 */
export async function changeRules(change: DeploymentRuleChange, ask: AskRole): Promise<void> {
  for (const stage of ruleMessages(change)) {
    await Promise.all(
      stage.map(({ to, change: message }) => ask<RulesConfirmed>(to, 'POST', '/control/rules', message)),
    );
  }
  if (!change.fetched) return;
  await Promise.all(
    Object.keys(change.parts).map(async (point) => {
      // A question without an answer in time has an empty one.
      const path = `/control/rules-confirmed/${change.version}`;
      while (!(await ask<RulesConfirmed | undefined>(point, 'GET', path)));
    }),
  );
}

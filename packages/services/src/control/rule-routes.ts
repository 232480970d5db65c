/**
 * The control routes of changed rules. The control side sends them to every role. Points that fetch their rules ask the
 * gateway, which keeps the newest for them.
 */
import { headers as headerNames, type RuleChange, type RulesConfirmed } from '@topo-bench/core';
import type { RolePerformer } from '../executor/role-performer.ts';
import type { FullConfig } from '../full-config.ts';
import type { Call, Route } from '../http/http-port.ts';
import { HttpProblem } from '../http/http-problem.ts';
import { runRoute } from '../http/run-route.ts';
import { tokenGuard } from '../http/token-guard.ts';

/** Thousands of rules, and at the gateway those of all points. */
const bodyLimitBytes = 64 * 1024 * 1024;
/** Time for which a question stays open: shorter than the timeouts of all clients. */
export const openQuestionMs = 20_000;

/** A question that is answered by the rules of some version. */
interface Question {
  call: Call;
  /** Answered by a version from this one on. */
  from: number;
  timer: NodeJS.Timeout;
}

export function ruleRoutes(
  { kind, name, secrets, items, arrow, peers }: FullConfig,
  performer: RolePerformer,
): Route[] {
  const refuse = tokenGuard(headerNames.control, secrets.controlToken);
  const open = new Set<Question>();
  /** At the gateway: the newest rules for points that fetch them. */
  let published: RuleChange | undefined;
  performer.onRulesChanged = () => answerOpen(() => performer.machine.rulesVersion, confirm);

  const change: Route = {
    method: 'POST',
    path: '/control/rules',
    bodyLimitBytes,
    refuse,
    handle: (call) => {
      const body = readChange(call.body);
      // Their rules are parts of other engines, which would keep the old ones.
      if (items || arrow) throw new HttpProblem(409, 'fixed-rules', `${name} has rules of items or columns`);
      performer.takeRules(call, body);
      if (!body.parts) return;
      if (!published || body.version > published.version) published = body;
      answerOpen(() => published?.version ?? 0, sendPart);
    },
  };
  if (kind !== 'gateway') {
    const confirmed: Route = {
      ...{ method: 'GET', path: '/control/rules-confirmed/:id', refuse },
      handle: (call) => answerFrom(call, Number(call.parameter), performer.machine.rulesVersion, confirm),
    };
    return [change, confirmed];
  }
  const now: Route = {
    ...{ method: 'GET', path: '/control/rules/:id', refuse },
    handle: (call) => {
      if ((published?.version ?? 0) > partOf(call).after) sendPart(call);
      else call.answer(204, '');
    },
  };
  const next: Route = {
    ...{ method: 'GET', path: '/control/rules-next/:id', refuse },
    handle: (call) => answerFrom(call, partOf(call).after + 1, published?.version ?? 0, sendPart),
  };
  return [change, now, next];

  function confirm(call: Call): void {
    call.answer(200, JSON.stringify({ version: performer.machine.rulesVersion } satisfies RulesConfirmed));
  }

  function sendPart(call: Call): void {
    const { version, parts = {} } = published as RuleChange;
    const { point } = partOf(call);
    const rules = Object.hasOwn(parts, point) ? parts[point] : undefined;
    if (!rules) throw unknownPoint(point);
    call.answer(200, JSON.stringify({ version, rules } satisfies RuleChange));
  }

  /** `<point>@<version that it has>` */
  function partOf({ parameter }: Call): { point: string; after: number } {
    const [, point = '', after = ''] = /^(.+)@(\d{1,9})$/.exec(parameter) ?? [];
    if (point === '') throw new HttpProblem(400, 'bad-request', 'expected <point>@<version>');
    if (!Object.hasOwn(peers, point)) throw unknownPoint(point);
    return { point, after: Number(after) };
  }

  /** Answers at once, or when the version is there; 204 when it does not come. */
  function answerFrom(call: Call, from: number, version: number, answer: (call: Call) => void): void {
    if (!Number.isSafeInteger(from)) throw new HttpProblem(400, 'bad-request', 'expected the number of a version');
    if (version >= from) {
      answer(call);
      return;
    }
    const timer = setTimeout(() => {
      open.delete(question);
      call.answer(204, '');
    }, openQuestionMs);
    timer.unref();
    const question: Question = { call, from, timer };
    open.add(question);
  }

  function answerOpen(version: () => number, answer: (call: Call) => void): void {
    for (const question of open) {
      if (version() < question.from) continue;
      open.delete(question);
      clearTimeout(question.timer);
      // The problem of one question concerns no other.
      runRoute({ ...change, handle: answer }, question.call);
    }
  }
}

function unknownPoint(point: string): HttpProblem {
  return new HttpProblem(404, 'unknown-point', `no rules for ${point}`);
}

/** Checks of the rules themselves are those of the engine. */
function readChange(body: unknown): RuleChange {
  const { version, rules, ruleIds, stamped, parts } = (body ?? {}) as Partial<RuleChange>;
  const isSet = (set: unknown): boolean => Array.isArray((set as RuleChange['rules'])?.rules);
  const isValid =
    Number.isSafeInteger(version) &&
    (version as number) > 0 &&
    (rules === undefined || isSet(rules)) &&
    (ruleIds === undefined || Array.isArray(ruleIds)) &&
    (stamped === undefined || typeof stamped === 'boolean') &&
    (parts === undefined || Object.values(parts).every(isSet));
  if (!isValid) throw new HttpProblem(400, 'bad-request', 'expected a change of rules with its version');
  return body as RuleChange;
}

/**
 * The comparison of a condition: a known fact, a known operator and a path of member and index steps. Checked here, so
 * that every file with conditions gets the same findings at the place of the offender.
 */
import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { ruleFactMembers } from '../rule-fact-members.ts';
import { parseOperator, ruleDecorators, ruleFacts, ruleOperators } from '../rule-operators.ts';
import { parseRulePath } from '../rule-path.ts';

/** What a custom issue carries for the reader of files: its error code and the names that would have been right. */
export interface IssueDetails {
  code: ErrorCode;
  /** The unknown name and those known: the reader suggests the nearest. */
  received?: string;
  known?: readonly string[];
}

const fact = z
  .string()
  .meta({ enum: [...ruleFacts] })
  .superRefine((received, context) => {
    if ((ruleFacts as readonly string[]).includes(received)) return;
    report(context, [], `unknown fact ${JSON.stringify(received)}`, {
      code: 'TB_RULES_UNKNOWN_FACT',
      received,
      known: ruleFacts,
    });
  });

const operator = z
  .string()
  .meta({
    description: 'An operator of json-rules-engine 7, with decorators before it: `someFact:not:equal`.',
    // An editor completes the plain operators; the pattern admits decorated ones.
    anyOf: [{ enum: [...ruleOperators] }, { pattern: `^((${ruleDecorators.join('|')}):)*(${ruleOperators.join('|')})$` }],
  })
  .superRefine((text, context) => {
    if (parseOperator(text)) return;
    const parts = text.split(':');
    const base = parts.pop() ?? '';
    const decorator = parts.find((part) => !(ruleDecorators as readonly string[]).includes(part));
    const received = decorator ?? base;
    const known = decorator === undefined ? ruleOperators : ruleDecorators;
    const what = decorator === undefined ? 'operator' : 'decorator';
    report(context, [], `unknown ${what} ${JSON.stringify(received)}`, { code: 'TB_RULES_UNKNOWN_OPERATOR', received, known });
  });

const path = z
  .string()
  .meta({ description: 'Member and index steps only.', examples: ['$.payload.email', '$.categories[0]', "$['a b']"] })
  .superRefine((text, context) => {
    if (parseRulePath(text)) return;
    report(
      context,
      [],
      `${JSON.stringify(text)} is not a path of member and index steps such as $.payload.email or $.categories[0]`,
      {
        code: 'TB_RULES_PATH',
      },
    );
  });

/** Fields of a comparison, without the labels that every condition may carry. */
export const comparisonFields = {
  fact,
  operator,
  value: z.unknown().meta({ description: 'A literal, or another fact: `{ fact: target, path: $.region }`.' }),
  path: path.optional(),
  params: z.record(z.string(), z.unknown()).optional(),
};

const reference = z.object({ fact, path: path.optional() });

/** Checks what concerns several fields of a comparison: paths begin with a member of their fact, on both sides. */
export function checkMembers(
  comparison: { fact: string; path?: string | undefined; value: unknown },
  context: z.RefinementCtx,
): void {
  checkMember(comparison.fact, comparison.path, [], context);
  const { value } = comparison;
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'fact')) return;
  const other = reference.safeParse(value);
  if (other.success) checkMember(other.data.fact, other.data.path, ['value'], context);
  else for (const issue of other.error.issues) context.addIssue({ ...issue, path: ['value', ...issue.path] });
}

function checkMember(factName: string, text: string | undefined, at: string[], context: z.RefinementCtx): void {
  const first = text === undefined ? undefined : parseRulePath(text)?.[0];
  const known: readonly string[] | undefined = ruleFactMembers[factName as keyof typeof ruleFactMembers];
  if (first === undefined || !known || known.includes(first)) return;
  const message = `the fact ${JSON.stringify(factName)} has no member ${JSON.stringify(first)}`;
  report(context, [...at, 'path'], message, { code: 'TB_RULES_UNKNOWN_FACT', received: first, known });
}

function report(context: z.RefinementCtx, at: string[], message: string, details: IssueDetails): void {
  context.addIssue({ code: 'custom', path: at, message, params: { ...details } });
}

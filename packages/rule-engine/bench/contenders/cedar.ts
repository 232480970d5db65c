/** Cedar as WebAssembly, its policies parsed once and the calls prebuilt. Serialising a call is in the time. */
import {
  type AuthorizationAnswer,
  preparsePolicySet,
  type StatefulAuthorizationCall,
  statefulIsAuthorized,
} from '@cedar-policy/cedar-wasm/nodejs';
import { type BenchCondition, type BenchRule, memberPaths } from '../workloads.ts';
import type { Contender } from './contender.ts';

export const cedar: Contender = {
  name: 'Cedar (wasm)',
  async load({ name, rules, facts }) {
    const policies = Object.fromEntries(rules.map((rule) => [rule.id, policyOf(rule)]));
    const parsed = preparsePolicySet(name, {
      staticPolicies: { permit: 'permit(principal, action, resource);', ...policies },
    });
    if (parsed.type === 'failure') return `Cedar refuses the policies: ${JSON.stringify(parsed.errors[0])}`;
    const calls = facts.map(({ request, target }): StatefulAuthorizationCall => {
      const { origin, categories, purpose, payload } = request;
      return {
        principal: { type: 'Gateway', id: 'gateway' },
        action: { type: 'Action', id: 'send' },
        resource: { type: 'Service', id: target.service },
        context: { origin, categories, purpose, payload: payload as Context },
        entities: [],
        preparsedPolicySetId: name,
      };
    });
    return {
      decide: (i) => statefulIsAuthorized(calls[i] as StatefulAuthorizationCall),
      matched(answer) {
        const { type, ...rest } = answer as AuthorizationAnswer;
        if (type === 'failure' || !('response' in rest)) throw new Error(`Cedar: ${JSON.stringify(answer)}`);
        return rest.response.diagnostics.reason.filter((id) => id !== 'permit');
      },
    };
  },
};

type Context = StatefulAuthorizationCall['context'][string];

function policyOf({ service, conditions }: BenchRule): string {
  const resource = service ? `resource == Service::${JSON.stringify(service)}` : 'resource';
  return `forbid(principal, action, ${resource}) when { ${conditions.map(conditionOf).join(' && ')} };`;
}

function conditionOf(condition: BenchCondition): string {
  const member = ['context', ...memberPaths[condition.member]].join('.');
  switch (condition.kind) {
    case 'equal':
      return `${member} == ${JSON.stringify(condition.value)}`;
    case 'element':
      return `${member}.contains(${JSON.stringify(condition.value)})`;
    case 'oneOf':
      return `${JSON.stringify(condition.values)}.contains(${member})`;
    case 'above':
      return `${member} > ${condition.value}`;
    case 'other':
      return `${member} != ${JSON.stringify(condition.value)}`;
    case 'substring':
      return `${member} like ${JSON.stringify(`*${condition.value}*`)}`;
  }
}

/** Rules over orders, which deny by class and customer and redact by purpose, and orders to write. */
import type { RuleParts } from '../fixtures/deployment.ts';

export const topology = {
  nodes: [{ name: 'a', region: 'eu' }],
  enforcement: { architecture: 'sidecar' as const, engine: 'compiled' as const },
};
const purpose = (value: string) => ({ fact: 'request', path: '$.purpose', operator: 'equal', value });
export const rules: RuleParts = {
  rules: [
    {
      id: 'eu-data-stays',
      effect: 'deny',
      when: {
        all: [
          { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' },
          { fact: 'target', path: '$.region', operator: 'notEqual', value: 'eu' },
        ],
      },
    },
    {
      id: 'no-secret-customers',
      effect: 'deny',
      when: { all: [{ fact: 'request', path: '$.payload.customer', operator: 'equal', value: 'secret' }] },
    },
    {
      id: 'no-notes-for-marketing',
      effect: 'redact',
      redact: { remove: ['/note', '/address/street'], pseudonymise: ['/customer'] },
      when: { all: [purpose('marketing')] },
    },
  ],
};
/** Whose rules never ask about an item. */
export const callRules: RuleParts = { rules: rules.rules.filter(({ id }) => id !== 'no-secret-customers') };

export const item = (id: string, customer = 'ann') => ({
  id,
  customer,
  status: 'open' as const,
  totalCents: 5,
  note: 'ring twice',
  createdAt: '2026-03-01T00:00:00.000Z',
});

/** The requests of the bench. */
import type { GeneratedRequests } from '../src/load-job.ts';

export const smallOrders: GeneratedRequests = {
  kind: 'generated',
  classes: [
    {
      name: 'order',
      weight: 1,
      origin: 'eu',
      purpose: 'contract',
      consents: [],
      payload: { customer: { category: 'personal', size: 48 }, items: { category: 'none', size: 128 } },
    },
  ],
};

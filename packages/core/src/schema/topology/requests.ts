/** The classes of requests: origin, purpose, consents and payload. */
import { z } from 'zod';
import { defaultPurpose } from '../../gateway-api.ts';
import { name, size } from '../quantities.ts';

const payloadField = z.strictObject({
  category: name.meta({ description: 'Category of data: personal, health, payment, … or `none`.' }),
  size: size.prefault('32B').meta({ description: 'Bytes of the generated value.' }),
});

export const requestClass = z.strictObject({
  name,
  weight: z.number().positive().default(1).meta({ description: 'Relative share of the requests.' }),
  origin: z
    .union([name, z.record(name, z.number().positive())])
    .meta({ description: 'Region of origin, or regions with their weights.' }),
  purpose: name.default(defaultPurpose).meta({ description: 'Purpose of the processing, for conditions of rules.' }),
  consents: z
    .union([z.array(name), z.record(name, z.number().min(0).max(1))])
    .default([])
    .meta({ description: 'Consents of the data subject: a list, or each with the probability that it was given.' }),
  payload: z
    .record(name, payloadField)
    .default({})
    .meta({ description: 'Fields of the payload by name. The categories of the request are those of its fields.' }),
});
export type RequestClass = z.output<typeof requestClass>;

/** Used when a topology has no request classes. */
export const defaultRequestClasses: z.input<typeof requestClass>[] = [
  {
    name: 'order',
    origin: 'eu',
    consents: [],
    payload: { customer: { category: 'personal', size: '48B' }, items: { category: 'none', size: '128B' } },
  },
];

/** The Parquet schema of a samples file, in depth-first order as the format requires. */
import type { SchemaElement } from 'hyparquet';

const text = (name: string, repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement => ({
  name,
  type: 'BYTE_ARRAY',
  converted_type: 'UTF8',
  logical_type: { type: 'STRING' },
  repetition_type: repetition,
});

const real = (name: string, repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement => ({
  name,
  type: 'DOUBLE',
  repetition_type: repetition,
});

const whole = (name: string, repetition: 'REQUIRED' | 'OPTIONAL'): SchemaElement => ({
  name,
  type: 'INT32',
  repetition_type: repetition,
});

/** A list of structs in the standard three-level form (parquet-format, LogicalTypes.md, Lists). */
const listOf = (name: string, fields: SchemaElement[]): SchemaElement[] => [
  { name, converted_type: 'LIST', logical_type: { type: 'LIST' }, repetition_type: 'REQUIRED', num_children: 1 },
  { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
  { name: 'element', repetition_type: 'REQUIRED', num_children: fields.length },
  ...fields,
];

export const samplesSchema: SchemaElement[] = [
  { name: 'root', num_children: 18 },
  text('id', 'REQUIRED'),
  text('class', 'REQUIRED'),
  text('origin', 'OPTIONAL'),
  real('intendedUs', 'REQUIRED'),
  real('sentUs', 'OPTIONAL'),
  real('doneUs', 'OPTIONAL'),
  real('rttUs', 'OPTIONAL'),
  real('clientLinkUs', 'OPTIONAL'),
  whole('status', 'OPTIONAL'),
  text('outcome', 'REQUIRED'),
  text('rule', 'OPTIONAL'),
  text('error', 'OPTIONAL'),
  whole('hops', 'OPTIONAL'),
  whole('hopsBetweenNodes', 'OPTIONAL'),
  ...listOf('exposureBytes', [text('category', 'REQUIRED'), real('bytes', 'REQUIRED')]),
  ...listOf('steps', [
    text('service', 'REQUIRED'),
    text('effect', 'REQUIRED'),
    text('rule', 'OPTIONAL'),
    whole('version', 'OPTIONAL'),
    whole('undecided', 'OPTIONAL'),
    whole('takenOver', 'OPTIONAL'),
  ]),
  ...listOf('delivered', [text('service', 'REQUIRED'), whole('copy', 'REQUIRED')]),
  ...listOf('copies', [whole('copy', 'REQUIRED'), text('field', 'REQUIRED'), text('digest', 'REQUIRED')]),
];

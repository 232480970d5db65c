/** Schema parts for quantities with units: read as text, stored as a number in the base unit. */
import { z } from 'zod';
import type { ErrorCode } from '../error-codes.ts';
import { TopoBenchError } from '../errors.ts';
import { parseDurationUs, parseSizeBytes } from '../units.ts';

/** Details of a custom issue, for file readers. */
export interface IssueDetails {
  code: ErrorCode;
  hint?: string;
}

function quantity(parse: (text: string) => number, description: string, example: string) {
  // `any` instead of `string`: a bare number must report the missing unit, not its type.
  const schema = z.any().meta({ type: 'string', description, examples: [example] });
  const read = schema.transform((value: unknown, context) => {
    if (typeof value !== 'string' && typeof value !== 'number') {
      context.issues.push({ code: 'invalid_type', expected: 'string', input: value });
      return z.NEVER;
    }
    try {
      return parse(String(value));
    } catch (error) {
      if (!(error instanceof TopoBenchError)) throw error;
      const details: IssueDetails = { code: error.code, ...(error.hint === undefined ? {} : { hint: error.hint }) };
      context.addIssue({ code: 'custom', message: error.message, params: { ...details } });
      return z.NEVER;
    }
  });
  return read as unknown as z.ZodPipe<z.ZodString, z.ZodTransform<number, string>>;
}

/** A duration with its unit (`10ms`, `2s`); stored in µs. */
export const duration = quantity(parseDurationUs, 'A duration with its unit: us, ms, s, m or h.', '10ms');

/** A duration above 0: the time that something lasts, or the interval at which it happens. */
export const positiveDuration = quantity(
  (text) => {
    const us = parseDurationUs(text);
    if (us > 0) return us;
    throw new TopoBenchError('TB_SCHEMA_INVALID', `expected a duration above 0, received ${JSON.stringify(text)}`);
  },
  'A duration above 0 with its unit: us, ms, s, m or h.',
  '10ms',
);

/** A size with its unit (`512B`, `64KiB`); stored in bytes. */
export const size = quantity(parseSizeBytes, 'A size with its unit: B, KB, KiB, MB, MiB, GB or GiB.', '64KiB');

/**
 * Names of services, nodes, regions and classes: letters, digits, `-`, `_` and `.`. They become host and file names.
 */
export const name = z
  .string()
  .regex(
    /^[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/,
    'expected 1 to 63 letters, digits, "-", "_" or ".", starting and ending with a letter or digit',
  );

/** A share written as `1%` or as a fraction `0.01`; stored as a fraction in 0…1. */
export const share = z
  .union([z.number().min(0).max(1), z.string().regex(/^\d+(\.\d+)?%$/, 'expected a percentage such as 1%')])
  .transform((value) => (typeof value === 'number' ? value : Number.parseFloat(value) / 100))
  .refine((value) => value <= 1, 'a share is at most 100%');

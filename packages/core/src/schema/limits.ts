/** Limits of CPU time and memory of a process, applied by runners that start containers. */
import { z } from 'zod';
import { size } from './quantities.ts';

/** Container engines refuse a quota below 1 ms in a period of 100 ms. */
const minCpus = 0.01;
const maxCpus = 1024;
/** Below it, Node.js does not start. */
const minMemoryBytes = 32 * 1024 ** 2;

/** What a process may use. Absent fields are without a limit. */
export interface Limits {
  /** CPU time per time: 1.5 is one and a half cores. */
  readonly cpus?: number;
  readonly memoryBytes?: number;
}

const limits = z
  .strictObject({
    cpus: z
      .number()
      .min(minCpus)
      .max(maxCpus)
      .optional()
      .meta({ description: 'Max CPU time per time, in cores: 0.5 is half of one core.', examples: [0.5] }),
    memory: size
      .refine((bytes) => bytes >= minMemoryBytes, 'expected at least 32MiB, e.g. 256MiB')
      .optional()
      .meta({ description: 'Max memory, swap included; beyond, the process is killed.', examples: ['256MiB'] }),
  })
  .transform(
    ({ cpus, memory }): Limits => ({
      ...(cpus !== undefined && { cpus }),
      ...(memory !== undefined && { memoryBytes: memory }),
    }),
  )
  .meta({ id: 'limits' });

/** The field `limits`. @param subject the limited processes */
export function limitsOf(subject: string) {
  return limits
    .optional()
    .meta({ description: `Limits of CPU time and memory of ${subject}; applied by container runners.` });
}

/** The flags of `run`, and what they choose. */
import { TopoBenchError } from '@topo-bench/core';
import type { Choices } from '@topo-bench/experiment/read-inputs';
import { parsedValue } from './option-values.ts';
import type { ServerUrlFlags } from './server-urls.ts';

export interface RunFlags extends ServerUrlFlags {
  dryRun?: boolean;
  out?: string;
  resume?: string;
  allowOtherServers?: boolean;
  only?: [factor: string, levels: string][];
  set?: [path: string, value: string][];
  repetitions?: number;
  seed?: number;
  keepRequests?: boolean;
  traceHops?: string;
  published?: string | true;
  json?: boolean;
}

/** What the flags add to the experiment file. */
export function choicesOf({ only = [], set = [], repetitions, seed, keepRequests, traceHops }: RunFlags): Choices {
  const fields: Record<string, unknown> = Object.fromEntries(set.map(([path, value]) => [path, parsedValue(value)]));
  if (repetitions !== undefined) fields.repetitions = repetitions;
  if (seed !== undefined) fields.seed = seed;
  if (keepRequests) fields.keepRequests = true;
  if (traceHops !== undefined) fields.traceHops = traceHops;
  return { set: fields, only: Object.fromEntries(only.map(([factor, levels]) => [factor, levels.split(',')])) };
}

/** @throws TopoBenchError `TB_USAGE`: a run is continued as it was begun */
export function requireNoChoices(flags: RunFlags): void {
  const { set = {}, only = {} } = choicesOf(flags);
  const given = [...Object.keys(set), ...Object.keys(only).map((factor) => `--only ${factor}`), ...(flags.out ? ['--out'] : [])];
  if (given.length === 0) return;
  throw new TopoBenchError('TB_USAGE', `--resume continues a run as it was begun, so ${given.join(', ')} cannot be changed`, {
    hint: 'leave it out, or start a new run',
  });
}

/** @throws TopoBenchError `TB_USAGE`: a new run has no servers that others could be beside */
export function requireResumeFor({ resume, allowOtherServers }: RunFlags): void {
  if (resume !== undefined || !allowOtherServers) return;
  throw new TopoBenchError('TB_USAGE', '--allow-other-servers is for a run that is continued, with --resume');
}

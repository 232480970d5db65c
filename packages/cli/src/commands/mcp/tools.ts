/** The tools of the server. Each loads its code when it is called; an error is an answer with code and hint. */
import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import { TopoBenchError, withoutCredentials } from '@topo-bench/core';
import { ruleExample } from '@topo-bench/core/schema/rules';
import { z } from 'zod';
import type { ToolContext } from './tool-context.ts';

const experiment = z.string().describe('Path of an experiment file, or the name of a shipped one such as quickstart.');
const chosen = {
  set: z.record(z.string(), z.unknown()).optional().describe('Other values for fields or factors, e.g. {"rate": 200}.'),
  only: z.record(z.string(), z.array(z.string())).optional().describe('Levels of factors to keep.'),
  repetitions: z.int().min(1).max(100).optional().describe('Repetitions of every cell.'),
};

const inputs = {
  validate: z.strictObject({
    file: z.string().describe('Topology, rule, experiment, calibration or confirmation file.'),
  }),
  simulate: z.strictObject({
    experiment,
    calibration: z.string().describe('Calibration file, or a shipped one: assumed-two-cores.'),
    ...chosen,
    maxSeconds: z.number().min(1).max(600).default(120).describe('Time after which it ends.'),
  }),
  run: z.strictObject({
    experiment,
    ...chosen,
    maxSeconds: z.number().min(1).max(600).default(120).describe('Refused if it may take longer; ended after it.'),
  }),
  compare: z.strictObject({
    runs: z.array(z.string()).min(1).max(2).describe('Baseline and candidate, or one run folder with `within`.'),
    within: z.string().optional().describe('Factor whose levels are compared inside one run, e.g. architecture.'),
    metric: z.string().optional().describe('Figure, e.g. rtt.p95; default: the usual one of these runs.'),
    mixSources: z.boolean().default(false).describe('Compare a measured run with a simulated one.'),
  }),
  explain: z.strictObject({
    topology: z.string().describe('Topology file, or the name of a shipped one.'),
    service: z.string().describe('Service that is to receive the request.'),
    request: ruleExample.shape.request.describe('The request, by the facts that rules read.'),
    visited: z.array(z.string()).default([]).describe('Services that the request has passed, in order.'),
  }),
};

/** What all calls of a server have in common. */
type Shared = Pick<ToolContext, 'files' | 'measurements'>;
type Tool<Input> = (input: Input, context: ToolContext) => Promise<object>;

export function addTools(server: McpServer, shared: Shared): void {
  const add = <Name extends keyof typeof inputs>(
    name: Name,
    description: string,
    load: () => Promise<Tool<z.output<(typeof inputs)[Name]>>>,
    readOnly = true,
  ): void => {
    const annotations = { readOnlyHint: readOnly, openWorldHint: false };
    const inputSchema = inputs[name] as z.ZodType;
    server.registerTool(name, { description, inputSchema, annotations }, (input, context) =>
      answered(async () => (await load())(input as never, contextOf(shared, context))),
    );
  };
  add('validate', 'All problems of a file of topo-bench, with their places.', async () => {
    const { validate } = await import('./tools/validate.ts');
    return validate;
  });
  add(
    'simulate',
    'Predicts an experiment by a calibration, in seconds: round-trip times by architecture, simulated.',
    async () => (await import('./tools/measure.ts')).simulate,
    false,
  );
  add(
    'run',
    'Measures an experiment on this machine: deploys processes, sends load, checks every decision.',
    async () => (await import('./tools/measure.ts')).run,
    false,
  );
  add('compare', 'Compares two runs, or the levels of a factor inside one, with intervals and verdicts.', async () => {
    const { compare } = await import('./tools/compare.ts');
    return compare;
  });
  add('explain', 'Which rule decides a request to a service, and why the other rules do not match.', async () => {
    const { explainDecision } = await import('./tools/explain.ts');
    return explainDecision;
  });
}

function contextOf(shared: Shared, { mcpReq }: ServerContext): ToolContext {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    ...shared,
    signal: mcpReq.signal,
    progress(progress, total, message) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message };
      // A client that has gone reads no progress.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => undefined);
    },
  };
}

async function answered(work: () => Promise<object>): Promise<CallToolResult> {
  try {
    return result(await work(), false);
  } catch (error) {
    const failure =
      error instanceof TopoBenchError ? error : new TopoBenchError('TB_INTERNAL', String(error), { cause: error });
    const { code, hint, problems } = failure;
    const message = withoutCredentials(failure.message);
    return result({ error: { code, message, ...(hint && { hint }), ...(problems.length > 0 && { problems }) } }, true);
  }
}

function result(document: object, isError: boolean): CallToolResult {
  const structuredContent = document as Record<string, unknown>;
  return { content: [{ type: 'text', text: JSON.stringify(document, undefined, 1) }], structuredContent, isError };
}

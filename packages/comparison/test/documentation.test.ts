import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { parseThreshold } from '../src/threshold.ts';

const read = (path: string): string => readFileSync(new URL(`../../../docs/${path}`, import.meta.url), 'utf8');

test('every threshold on the page about gating can be read', () => {
  const found = [...read('gating.md').matchAll(/(?:--threshold '|^ {2}- )([a-z][\w.]* [<>]=? [^'\n]+)/gm)].map(
    ([, text]) => text as string,
  );
  expect(found.length).toBeGreaterThanOrEqual(5);
  for (const text of found) expect(parseThreshold(text).text).toBe(text);
});

test('the workflow to copy is YAML, and its gate can be read', () => {
  const workflow = parse(read('ci/github-actions.yml')) as {
    env: { THRESHOLD: string };
    jobs: { gate: { steps: { name?: string; run?: string }[] } };
  };
  expect(parseThreshold(workflow.env.THRESHOLD).kind).toBe('relative');
  const command = workflow.jobs.gate.steps.find(({ name }) => name === 'Gate')?.run ?? '';
  expect(command).toMatch(
    /^npx topo-bench gate --experiment "\$EXPERIMENT" --baseline-ref base --candidate-ref \. \\\n +--threshold "\$THRESHOLD"/m,
  );
  // Limits of the shell itself, so that the gate inherits them.
  expect(command).toMatch(/^sudo prlimit --pid \$\$ --rtprio=1 --nice=40/m);
  expect(parseThreshold(/'([^']+)'/.exec(command)?.[1] ?? '').kind).toBe('absolute');
});

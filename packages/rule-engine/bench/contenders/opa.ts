/**
 * Open Policy Agent as WebAssembly, built by the `opa` command that is found on the path (or that `OPA` names); inputs
 * prebuilt. Its interface takes inputs as JSON alone, so parsing is in the time.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { loadPolicy } from '@open-policy-agent/opa-wasm';
import { type BenchCondition, type BenchRule, memberPaths } from '../workloads.ts';
import type { Contender } from './contender.ts';

const run = promisify(execFile);
const command = process.env.OPA ?? 'opa';

export const opa: Contender = {
  name: 'OPA (wasm)',
  async load({ rules, facts }) {
    if (!(await isInstalled())) {
      return 'no `opa` command found; get it with `CGO_ENABLED=0 go install github.com/open-policy-agent/opa@latest` (then set OPA=$(go env GOPATH)/bin/opa) or from openpolicyagent.org';
    }
    const policy = await loadPolicy(await buildWasm(regoOf(rules)));
    const inputs = facts.map(({ request, target }) => encoded({ request, target }));
    return {
      decide: (i) => policy.evaluate(inputs[i] as ArrayBuffer),
      matched: (answer) => (answer as { result: string[] }[])[0]?.result ?? [],
    };
  },
};

async function isInstalled(): Promise<boolean> {
  return run(command, ['version']).then(
    () => true,
    () => false,
  );
}

async function buildWasm(rego: string): Promise<Uint8Array> {
  const dir = await mkdtemp(join(tmpdir(), 'bench-decide-'));
  try {
    await writeFile(join(dir, 'policy.rego'), rego);
    await run(command, ['build', '-t', 'wasm', '-e', 'bench/deny', '-o', 'bundle.tar.gz', 'policy.rego'], { cwd: dir });
    await run('tar', ['-xzf', 'bundle.tar.gz', '/policy.wasm'], { cwd: dir });
    return await readFile(join(dir, 'policy.wasm'));
  } finally {
    await rm(dir, { recursive: true });
  }
}

function regoOf(rules: readonly BenchRule[]): string {
  const blocks = rules.map(({ id, service, conditions }) => {
    const lines = conditions.map(conditionOf);
    if (service) lines.unshift(`input.target.service == ${JSON.stringify(service)}`);
    return `deny contains ${JSON.stringify(id)} if {\n\t${lines.join('\n\t')}\n}`;
  });
  return `package bench\n\nimport rego.v1\n\n${blocks.join('\n\n')}\n`;
}

function conditionOf(condition: BenchCondition): string {
  const member = ['input.request', ...memberPaths[condition.member]].join('.');
  switch (condition.kind) {
    case 'equal':
      return `${member} == ${JSON.stringify(condition.value)}`;
    case 'element':
      return `${JSON.stringify(condition.value)} in ${member}`;
    case 'oneOf':
      return `${member} in {${condition.values.map((value) => JSON.stringify(value)).join(', ')}}`;
    case 'above':
      return `${member} > ${condition.value}`;
    case 'other':
      return `${member} != ${JSON.stringify(condition.value)}`;
    case 'substring':
      return `contains(${member}, ${JSON.stringify(condition.value)})`;
  }
}

function encoded(input: unknown): ArrayBuffer {
  return new TextEncoder().encode(JSON.stringify(input)).buffer as ArrayBuffer;
}

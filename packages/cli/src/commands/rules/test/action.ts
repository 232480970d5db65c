/** The work of `rules test`: run the decision table of a rule file with every engine. */
import { ExitCode } from '@topo-bench/core';
import { type ExampleResult, exampleServices, runExamples } from '@topo-bench/rule-engine';
import { expandRules } from '@topo-bench/topology';
import { note, printJson, printLine } from '../../../output.ts';
import { readRules } from '../read-rules.ts';
import type { TestFlags } from './options.ts';

export async function action(name: string, { json }: TestFlags): Promise<void> {
  const { file, rules } = await readRules(name);
  const results = await runExamples(expandRules(rules, exampleServices(rules.examples)), rules.examples);
  if (json) printJson({ file, results, passed: results.every(({ passed }) => passed) });
  else print(file, results);
  if (results.length === 0) note(`warning: nothing was tested: ${file} carries no examples`);
  if (results.some(({ passed }) => !passed)) process.exitCode = ExitCode.checkFailed;
}

function print(file: string, results: readonly ExampleResult[]): void {
  for (const { name, passed, decision, problems } of results) {
    printLine(`${passed ? '✓' : '✗'} ${name}: ${decision.effect} by ${decision.rule ?? 'the default effect'}`);
    for (const problem of problems) printLine(`    ${problem}`);
  }
  const passed = results.filter((result) => result.passed).length;
  printLine(`${file}: ${passed} of ${results.length} examples hold`);
}

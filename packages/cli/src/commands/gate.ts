/** `gate`: a run against thresholds, as the exit code of a CI step. */
import { Command } from 'commander';
import { collect } from '../option-types.ts';

const examples = `Examples:
  topo-bench gate --candidate runs/new --threshold 'rtt.p95 < 20ms' --threshold 'errors.rate < 0.1%'
  topo-bench gate --candidate runs/new --baseline runs/old --threshold 'rtt.median < +5%'
  topo-bench gate --candidate runs/new --save-baseline main           keep the run as the baseline "main"
  topo-bench gate --candidate runs/new --baseline main                thresholds from the experiment file
  topo-bench gate --candidate runs/new --baseline main --junit gate.xml --markdown gate.md
`;

export interface GateFlags {
  candidate: string;
  baseline?: string;
  threshold?: string[];
  allowUndecided?: boolean;
  saveBaseline?: string;
  junit?: string;
  markdown?: string;
  json?: boolean;
}

export function command(): Command {
  return new Command('gate')
    .description(
      'Passes or fails a run. A threshold with a signed percentage is relative to the baseline and fails only when the change is shown to exceed it. Exit codes: 0 passed, 1 failed, 5 cannot tell, 6 no baseline.',
    )
    .requiredOption('--candidate <run>', 'run folder to judge')
    .option('--baseline <run>', 'run folder, or name of a saved baseline, that relative thresholds refer to')
    .option('--threshold <text>', 'metric, operator and value; may be repeated (default: those of the experiment file)', collect)
    .option('--allow-undecided', 'exit 0 when the repetitions cannot tell')
    .option('--save-baseline <name>', 'keep the candidate as a baseline if the gate passes; a name or a folder')
    .option('--junit <file>', 'write the verdicts as JUnit XML')
    .option('--markdown <file>', 'write a summary as Markdown')
    .option('--json', 'print one JSON document')
    .addHelpText('before', examples)
    .action(async (flags: GateFlags) => (await import('../gate/gate.ts')).gate(flags));
}

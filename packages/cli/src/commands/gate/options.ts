/** `gate`: a run against thresholds, or two builds measured side by side, as the exit code of a CI step. */
import { type Command, Option } from 'commander';
import type { ChoiceFlags } from '../../choices.ts';
import { collect, collectAssignments, durationUs } from '../../option-values.ts';
import { addRunnerOptions, type EngineFlags } from '../../runner-option.ts';
import { addVerdictOptions, type VerdictOptionFlags } from '../../verdict/verdict-options.ts';

const examples = `Examples:
  topo-bench gate --candidate runs/new --threshold 'rtt.p95 < 20ms' --threshold 'errors.rate < 0.1%'
  topo-bench gate --candidate runs/new --baseline runs/old --threshold 'rtt.median < +5%'
  topo-bench gate --candidate runs/new --baseline runs/old --threshold 'flight.megabytesPerSecond > -5%'
  topo-bench gate --candidate runs/new --save-baseline main           keep the run as the baseline "main"
  topo-bench gate --candidate runs/new --baseline main                thresholds from the experiment file
  topo-bench gate --candidate runs/new --baseline main --junit gate.xml --markdown gate.md

Both sides at once, in turns, on a noisy machine:
  topo-bench gate --experiment perf.yaml --baseline-ref ../base --candidate-ref .         two checkouts
  topo-bench gate --experiment perf.yaml --baseline-ref 'node old.js' --candidate-ref 'node new.js'
  topo-bench gate --experiment perf.yaml --candidate-set enforcement.architecture=sidecar --threshold 'rtt.median < +10%'
  topo-bench gate --experiment perf.yaml --baseline-ref ../base --candidate-ref . --max-time 10m --out runs/gate
  topo-bench gate --experiment perf.yaml --baseline-ref ../base --candidate-ref . --profile     name the functions

What a gate can tell on this machine:
  topo-bench gate --self-test --experiment perf.yaml --max-time 10m --out runs/self-test
  topo-bench gate --self-test --baseline runs/self-test/baseline --candidate runs/self-test/candidate --threshold 'rtt.p95 < +10%'
`;

export interface GateFlags extends Pick<ChoiceFlags, 'set' | 'only' | 'runner'>, EngineFlags, VerdictOptionFlags {
  candidate?: string;
  baseline?: string;
  experiment?: string;
  baselineRef?: string;
  candidateRef?: string;
  candidateSet?: [path: string, value: string][];
  selfTest?: boolean;
  maxTime: number;
  out?: string;
  /** true: without a value, when the gate fails. */
  profile?: 'failed' | 'always' | true;
  threshold?: string[];
  saveBaseline?: string;
}

export function options(command: Command): void {
  command
    .description(
      'Passes or fails a run, or a build. A threshold with a signed percentage is relative to the baseline, ' +
        'and fails only when the change is shown to exceed it. ' +
        'Exit codes: 0 passed, 1 failed, 5 cannot tell, 6 no baseline.',
    )
    .option('--candidate <run>', 'run folder to judge')
    .option('--baseline <run>', 'run folder, or name of a saved baseline, that relative thresholds refer to')
    .option(
      '--threshold <text>',
      'metric, operator and value; may be repeated (default: those of the experiment file)',
      collect,
    )
    .option('--experiment <file>', 'measure baseline and candidate side by side under the load of this experiment')
    .option('--baseline-ref <ref>', 'directory, topology file or command that is the baseline of --experiment')
    .option('--candidate-ref <ref>', 'directory, topology file or command that is the candidate')
    .option(
      '--candidate-set <path=value>',
      'value of a field of the topology, for the candidate only; may be repeated',
      collectAssignments,
    )
    .option('--self-test', 'measure pairs of equal sides, and say which changes a gate would find on this machine')
    .option(
      '--set <path=value>',
      'another value for a field of --experiment or its topology, for both sides',
      collectAssignments,
    )
    .option('--only <factor=levels>', 'keep only these levels of a factor of --experiment', collectAssignments)
    .addOption(
      new Option(
        '--max-time <duration>',
        'start no pair of repetitions that would end after it, and cut off a later one',
      )
        .argParser(durationUs)
        .default(15 * 60e6, '15m'),
    )
    .addOption(
      new Option(
        '--profile [when]',
        'when the gate fails, or always: name the functions that make the difference, from 8 more pairs under V8 CPU ' +
          'profiles. They come after the verdict and --max-time, take about as long as 8 pairs, and decide nothing',
      ).choices(['failed', 'always']),
    )
    .option('--out <folder>', 'folder for both runs (default: runs/<name>-gate-<time>)')
    .option('--save-baseline <name>', 'keep the candidate as a baseline if the gate passes; a name or a folder')
    .addHelpText('before', examples);
  addVerdictOptions(command);
  addRunnerOptions(command, 'that of the experiment file');
}

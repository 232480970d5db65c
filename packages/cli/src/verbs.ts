/**
 * The verbs of topo-bench, in the order in which a new user meets them. Each verb is a folder: `options.ts` declares
 * its flags and `action.ts` does the work. Both are loaded only when the verb is called.
 */
import type { Command } from 'commander';

export interface Verb {
  name: string;
  summary: string;
  /** Adds description, arguments and flags to the command of this name. */
  options(): Promise<{ options(command: Command): void }>;
  /** Receives the arguments, the flags and the command, in this order. Absent for a verb that only has parts. */
  action?(): Promise<{ action(...given: never[]): Promise<void> }>;
  /** Verbs of the second level, as in `rules test`. */
  parts?: readonly Verb[];
}

export const verbs: readonly Verb[] = [
  {
    name: 'run',
    summary: 'run an experiment: deploy, warm up, measure and report every cell',
    options: () => import('./commands/run/options.ts'),
    action: () => import('./commands/run/action.ts'),
  },
  {
    name: 'simulate',
    summary: 'predict an experiment on a calendar, by a calibration, instead of measuring it',
    options: () => import('./commands/simulate/options.ts'),
    action: () => import('./commands/simulate/action.ts'),
  },
  {
    name: 'workshop',
    summary: 'open a local page that changes a topology, predicts every architecture and proves one',
    options: () => import('./commands/workshop/options.ts'),
    action: () => import('./commands/workshop/action.ts'),
  },
  {
    name: 'calibrate',
    summary: 'measure what a simulation must know of this machine',
    options: () => import('./commands/calibrate/options.ts'),
    action: () => import('./commands/calibrate/action.ts'),
  },
  {
    name: 'predict',
    summary: 'register predictions of an experiment before it is measured',
    options: () => import('./commands/predict/options.ts'),
    action: () => import('./commands/predict/action.ts'),
  },
  {
    name: 'judge',
    summary: 'compare registered predictions with the run that followed',
    options: () => import('./commands/judge/options.ts'),
    action: () => import('./commands/judge/action.ts'),
  },
  {
    name: 'init',
    summary: 'write a commented topology, rule set and experiment to edit',
    options: () => import('./commands/init/options.ts'),
    action: () => import('./commands/init/action.ts'),
  },
  {
    name: 'validate',
    summary: 'report all problems of topology, rule and experiment files',
    options: () => import('./commands/validate/options.ts'),
    action: () => import('./commands/validate/action.ts'),
  },
  {
    name: 'doctor',
    summary: 'list what this machine can run, and how to add the rest',
    options: () => import('./commands/doctor/options.ts'),
    action: () => import('./commands/doctor/action.ts'),
  },
  {
    name: 'report',
    summary: 'write the report of one or more runs as HTML, Markdown, CSV or JSON',
    options: () => import('./commands/report/options.ts'),
    action: () => import('./commands/report/action.ts'),
  },
  {
    name: 'compare',
    summary: 'compare two runs, or the levels inside one: which is faster, and how certain that is',
    options: () => import('./commands/compare/options.ts'),
    action: () => import('./commands/compare/action.ts'),
  },
  {
    name: 'gate',
    summary: 'pass or fail a run by thresholds, absolute or against a baseline',
    options: () => import('./commands/gate/options.ts'),
    action: () => import('./commands/gate/action.ts'),
  },
  {
    name: 'decide',
    summary: 'write a decision record from runs, and the file that confirms it',
    options: () => import('./commands/decide/options.ts'),
    action: () => import('./commands/decide/action.ts'),
  },
  {
    name: 'confirm',
    summary: 'check whether premises and thresholds of a decision still hold',
    options: () => import('./commands/confirm/options.ts'),
    action: () => import('./commands/confirm/action.ts'),
  },
  {
    name: 'rules',
    summary: 'test, explain, compare and check the decisions of rule files',
    options: () => import('./commands/rules/options.ts'),
    parts: [
      {
        name: 'test',
        summary: 'run the examples of a rule file with every engine',
        options: () => import('./commands/rules/test/options.ts'),
        action: () => import('./commands/rules/test/action.ts'),
      },
      {
        name: 'explain',
        summary: 'show which rule decides a request, and why the other rules do not match',
        options: () => import('./commands/rules/explain/options.ts'),
        action: () => import('./commands/rules/explain/action.ts'),
      },
      {
        name: 'diff',
        summary: 'list the requests of a topology whose decision changes from one rule file to another',
        options: () => import('./commands/rules/diff/options.ts'),
        action: () => import('./commands/rules/diff/action.ts'),
      },
      {
        name: 'check',
        summary: 'prove that all architectures decide alike with their parts of the rules',
        options: () => import('./commands/rules/check/options.ts'),
        action: () => import('./commands/rules/check/action.ts'),
      },
    ],
  },
  {
    name: 'up',
    summary: 'keep a topology running and print its gateway URL',
    options: () => import('./commands/up/options.ts'),
    action: () => import('./commands/up/action.ts'),
  },
  {
    name: 'down',
    summary: 'stop a topology that `up` started',
    options: () => import('./commands/down/options.ts'),
    action: () => import('./commands/down/action.ts'),
  },
  {
    name: 'generate',
    summary: 'write the files that deploy a topology: for Docker Compose or Kubernetes',
    options: () => import('./commands/generate/options.ts'),
    action: () => import('./commands/generate/action.ts'),
  },
  {
    name: 'load',
    summary: 'drive any HTTP server at a given rate',
    options: () => import('./commands/load/options.ts'),
    action: () => import('./commands/load/action.ts'),
  },
  {
    name: 'mcp',
    summary: 'serve these questions to programs, by the Model Context Protocol',
    options: () => import('./commands/mcp/options.ts'),
    action: () => import('./commands/mcp/action.ts'),
  },
  {
    name: 'completion',
    summary: 'print a script that completes verbs and flags in a shell',
    options: () => import('./commands/completion/options.ts'),
    action: () => import('./commands/completion/action.ts'),
  },
];

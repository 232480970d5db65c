/** The verbs of topo-bench, in the order a new user meets them. Each loads its own code only when it is called. */
import type { Command } from 'commander';

export interface Verb {
  name: string;
  summary: string;
  load(): Promise<{ command(): Command }>;
}

export const verbs: readonly Verb[] = [
  {
    name: 'run',
    summary: 'run an experiment: deploy, warm up, measure and report every cell',
    load: () => import('./commands/run/options.ts'),
  },
  {
    name: 'init',
    summary: 'write a commented topology, rule set and experiment to edit',
    load: () => import('./commands/init/options.ts'),
  },
  {
    name: 'validate',
    summary: 'report all problems of topology, rule and experiment files',
    load: () => import('./commands/validate/options.ts'),
  },
  {
    name: 'doctor',
    summary: 'say what this machine can run, and what would add the rest',
    load: () => import('./commands/doctor/options.ts'),
  },
  {
    name: 'report',
    summary: 'write the report of one or more runs as HTML, Markdown, CSV or JSON',
    load: () => import('./commands/report/options.ts'),
  },
  {
    name: 'compare',
    summary: 'say which of two runs, or of the levels inside one, is faster, and how certain that is',
    load: () => import('./commands/compare/options.ts'),
  },
  {
    name: 'gate',
    summary: 'pass or fail a run by thresholds, absolute or against a baseline',
    load: () => import('./commands/gate/options.ts'),
  },
  {
    name: 'rules',
    summary: 'test the decision table of a rule file, or explain one decision',
    load: () => import('./commands/rules/options.ts'),
  },
  {
    name: 'up',
    summary: 'keep a topology running and print its gateway URL',
    load: () => import('./commands/up/options.ts'),
  },
  {
    name: 'down',
    summary: 'stop a topology that `up` started',
    load: () => import('./commands/down/options.ts'),
  },
  {
    name: 'load',
    summary: 'drive any HTTP server of yours at a stated rate',
    load: () => import('./commands/load/options.ts'),
  },
];

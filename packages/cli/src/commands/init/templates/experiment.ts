/** The experiment that `init` writes: short enough to run at once, with a comment on the cost of each field. */
import { exampleLevels } from '@topo-bench/core';

export const experimentTemplate = `# An experiment: every combination of the factors is a cell, measured several times.
# See what it costs with: topo-bench run experiment.yaml --dry-run
apiVersion: topo-bench/v1
kind: Experiment
name: my-experiment
topology: topology.yaml

# Levels by factor: architecture, services, rate, engine, style, framework, placement, or any field by path,
# e.g. topology.deadlines.hop: [1s, 5s] or load.connections: [10, 100].
factors:
  architecture: [${exampleLevels(2).join(', ')}]
  rate: [50]

# Repetitions are interleaved in shuffled rounds. Five are the least that can show a difference.
repetitions: 2
seed: 1

# fresh: new processes for every repetition. round: one deployment per architecture and round, faster.
# interleaved: all architectures at the same time, taking turns under load: the same machine for all of them.
deploy: fresh

load: { driver: open, arrivals: poisson }
duration: 5s
drain: 10s

# Fresh Node.js processes get faster for a minute: for figures that you publish, leave the defaults (2000 requests, 120s).
warmup: { requests: 300, window: 1s, max: 10s }
`;

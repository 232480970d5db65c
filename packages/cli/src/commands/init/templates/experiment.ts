/** The experiment that `init` writes: short enough to run at once, with a comment on the cost of each field. */
import { exampleLevels } from '@topo-bench/core';

export const experimentTemplate = `# An experiment: every combination of the factors is a cell, measured several times.
# See what it costs with: npx topo-bench run experiment.yaml --dry-run
apiVersion: topo-bench/v1
kind: Experiment
name: my-experiment
topology: topology.yaml

# Levels by factor: architecture, services, rate, engine, style, framework, placement, or any field by path,
# e.g. topology.deadlines.hop: [1s, 5s] or load.connections: [10, 100].
factors:
  architecture: [${exampleLevels(2).join(', ')}]
  rate: [50]

# Each repetition is one figure of every cell. Seven are the least in which turns of four levels can show a difference.
repetitions: 7
seed: 1

# interleaved: all architectures at the same time, taking turns under load: the same machine for all of them.
# fresh: new processes for every repetition of every cell. round: one deployment per architecture and round, faster.
deploy: interleaved
turns: { slice: 500ms, gap: 200ms }

load: { driver: open, arrivals: poisson }
duration: 2s
drain: 10s

# Load starts when every process has served so many requests and throughput has settled, or after max: the repetition is
# then flagged as cold. The rules leave scoring a quarter of the requests. For figures that you publish, leave the
# defaults (2000 requests, 5%, 120s): fresh Node.js processes get faster while they run.
warmup: { requests: 50, change: 30%, window: 2s, connections: 8, max: 20s }
`;

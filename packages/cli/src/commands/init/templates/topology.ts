/** The topology that `init` writes: every section once, with a comment on its possible values. */
import { architectures, referenceArchitecture } from '@topo-bench/core';

export const topologyTemplate = `# A topology: which services exist, where they run, how a request flows through them and who enforces the rules.
# Check it with: npx topo-bench validate topology.yaml
apiVersion: topo-bench/v1
kind: Topology
name: my-topology

# Machines, or what stands for them. Rules ask about their regions.
nodes:
  - { name: eu-1, region: eu }
  - { name: us-1, region: us }

# Network delay between regions or nodes, added on runners that have none of their own.
links:
  - { from: eu, to: us, delay: 20ms, jitter: 2ms }

# Node of the gateway and of the central entity.
gateway: { node: eu-1 }

# What services do when they do not say otherwise. work is CPU time, or waiting: { mean: 2ms, kind: wait }.
defaults: { work: 200us, responseSize: 512B }

services:
  - { name: orders, node: eu-1 }
  - { name: scoring, node: us-1, work: { law: exponential, mean: 1ms }, tags: [analytics] }
  - { name: scoring-eu, node: eu-1, tags: [analytics], role: alternative }  # reached by reroute only
  - { generate: 3, prefix: svc }                                          # svc-1 … svc-3, placed evenly

# chain: all services in file order. Or a list; an inner list runs in parallel: [orders, [scoring, svc-1], svc-2, svc-3]
flow: chain

# What clients send. Categories of a request are those of its payload fields.
requests:
  classes:
    - name: order
      weight: 9
      origin: { eu: 3, us: 1 }
      consents: { analytics: 0.7 }        # probability that the subject gave it
      payload:
        customer: { category: personal, size: 64B }
        items: { category: none, size: 256B }
    - name: ping
      origin: us
      payload: { note: { category: none, size: 16B } }

rules: rules.yaml

# Replaced by the factors of an experiment. architecture: ${architectures.join(' | ')}
enforcement: { architecture: ${referenceArchitecture}, engine: compiled, style: forward }
`;

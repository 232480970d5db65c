/**
 * Second stage: the topology of an experiment under the fields that the experiment sets, the choices, and levels of
 * factors. Each combination is loaded once.
 */
import { cellKey, type Problem, TopoBenchError } from '@topo-bench/core';
import {
  applyOverrides,
  emptyGraph,
  type Graph,
  type LoadedTopology,
  loadTopology,
  parseSource,
  type SourceDocument,
  type SourceText,
  type TopologySources,
} from '@topo-bench/topology';
import { ProblemList, placesInSet, problemKey } from '../problem-list.ts';
import { type ExperimentInputs, rulesLevel } from '../read-inputs.ts';
import type { ParsedExperiment } from './parse-experiment.ts';

type Levels = Readonly<Record<string, unknown>>;

export class OverriddenTopology {
  /** The topology as the files describe it, before choices and levels; undefined without a file. */
  readonly ofFiles: LoadedTopology | undefined;
  /** Problems of the file and of the fields that the experiment sets. */
  readonly problems: readonly Problem[];
  readonly #inputs: ExperimentInputs;
  readonly #set: Readonly<Record<string, unknown>>;
  readonly #choices: Levels;
  /** For an experiment without a topology: the schema requires one of every experiment that deploys services. */
  readonly #empty: Graph | undefined;
  readonly #loaded = new Map<string, LoadedTopology>();
  readonly #places: ReturnType<typeof placesInSet>;

  constructor(inputs: ExperimentInputs, { source, experiment, topologyLevels, set }: ParsedExperiment) {
    const problems = new ProblemList();
    const fields = knownFields(set, inputs, source, problems);
    const ofFiles = inputs.topology && loadWith(inputs, fields, {}, true);
    const problemsWith = (some: Readonly<Record<string, unknown>>) => loadWith(inputs, some, {}, false).problems;
    this.#inputs = inputs;
    this.#set = fields;
    this.#choices = topologyLevels;
    this.#empty = experiment && experiment.topology === undefined ? emptyGraph(experiment.name) : undefined;
    this.#places = placesInSet(problemsWith(fields), fields, source, (some) =>
      problemsWith(knownFields(some, inputs, source, new ProblemList())),
    );
    this.ofFiles = ofFiles && this.#placed(ofFiles);
    problems.add(this.ofFiles?.problems ?? []);
    if (this.#empty) problems.attempt(source.locate(['set']), () => this.#withoutFile(topologyLevels));
    this.problems = problems.all;
  }

  /** Whether there is a topology to vary: one that can be read, or none by intention. */
  get isUsable(): boolean {
    return this.#empty !== undefined || this.ofFiles?.topology !== undefined;
  }

  /**
   * The topology with the choices and these levels.
   * @param isPartial whether other factors have levels, too
   * @throws TopoBenchError `TB_OVERRIDE_UNKNOWN_FIELD`, `TB_OVERRIDE_INVALID`
   */
  at(levels: Levels, isPartial = false): LoadedTopology {
    if (this.#empty) return this.#withoutFile(levels);
    const key = `${isPartial} ${cellKey(levels)}`;
    const factors = { ...this.#choices, ...levels };
    const loaded = this.#loaded.get(key) ?? this.#placed(loadWith(this.#inputs, this.#set, factors, isPartial));
    this.#loaded.set(key, loaded);
    return loaded;
  }

  /** The rule file of these levels; undefined without any. */
  rulesAt(levels: Levels): SourceText | undefined {
    const { otherRules = {}, rules } = this.#inputs;
    return otherRules[rulesLevel({ ...this.#choices, ...levels }) ?? ''] ?? rules;
  }

  /** What the topology of these levels is loaded from; undefined without a file. */
  sourcesAt(levels: Levels): TopologySources | undefined {
    const { topology } = this.#inputs;
    const overrides = { set: this.#set, factors: { ...this.#choices, ...levels } };
    return topology && { topology, rules: this.rulesAt(levels), overrides };
  }

  /** The topology of these levels under other rules. */
  withRules(levels: Levels, rules: SourceText): LoadedTopology {
    const sources = this.sourcesAt(levels);
    return sources ? loadTopology({ ...sources, rules }) : { problems: [] };
  }

  /** @throws TopoBenchError `TB_OVERRIDE_INVALID` for a level that varies a topology */
  #withoutFile(levels: Levels): LoadedTopology {
    const [name] = Object.keys(levels);
    if (name === undefined) return { graph: this.#empty as Graph, problems: [] };
    throw new TopoBenchError('TB_OVERRIDE_INVALID', `${name} varies a topology, and the experiment has none`, {
      hint: `leave out ${name}`,
    });
  }

  /** Problems that a field of `set` causes are at this field. */
  #placed({ problems, ...loaded }: LoadedTopology): LoadedTopology {
    return {
      ...loaded,
      problems: problems.map((problem) => ({ ...problem, ...this.#places.get(problemKey(problem)) })),
    };
  }
}

function loadWith(
  { topology, rules, otherRules = {} }: ExperimentInputs,
  set: Readonly<Record<string, unknown>>,
  factors: Levels,
  isPartial: boolean,
): LoadedTopology {
  const inForce = otherRules[rulesLevel(factors) ?? ''] ?? rules;
  return topology
    ? loadTopology({ topology, rules: inForce, overrides: { set, factors }, isPartial })
    : { problems: [] };
}

/** The fields of `set` that a topology has. Each of the others is a problem at its own key. */
function knownFields(
  set: Readonly<Record<string, unknown>>,
  { topology }: ExperimentInputs,
  source: SourceDocument,
  problems: ProblemList,
): Record<string, unknown> {
  const known: Record<string, unknown> = {};
  const input = topology && parseSource(topology).value;
  for (const [field, value] of Object.entries(set)) {
    problems.attempt(source.locate(['set', field], 'key'), () => {
      applyOverrides(input, { set: { ...known, [field]: value } });
      known[field] = value;
    });
  }
  return known;
}

/** From the texts of the page to graphs, problems and drawings. */
import { type Problem, TopoBenchError } from '@topo-bench/core';
import { type Graph, loadTopology, type Overrides } from '@topo-bench/topology';
import { factorsOf, type Settings } from './settings.ts';

/** Texts of the topology and its rules. */
export interface Texts {
  topology: string;
  /** Absent for a topology without rules. */
  rules?: string | undefined;
}

export interface PageProblem {
  file: 'topology' | 'rules' | 'setting';
  line: number;
  column: number;
  severity: 'error' | 'warning';
  message: string;
  hint?: string;
}

export interface ReadGraph {
  /** Absent while there are errors. */
  graph?: Graph;
  problems: PageProblem[];
}

/**
 * Never throws for faults of texts and settings.
 * @param overrides of the topology before those of the settings
 */
export function readGraph(
  texts: Texts,
  settings: Settings,
  architecture: string,
  { set, factors = {} }: Overrides = {},
): ReadGraph {
  const own = factorsOf(settings, architecture);
  // Last, because the level of an architecture contains the number of its routers.
  const others = Object.entries(factors).filter(([name]) => !(name in own));
  try {
    const { graph, problems } = loadTopology({
      topology: { text: texts.topology, file: 'topology' },
      rules: texts.rules === undefined ? undefined : { text: texts.rules, file: 'rules' },
      overrides: { ...(set && { set }), factors: { ...Object.fromEntries(others), ...own } },
    });
    return { ...(graph && { graph }), problems: problems.map(pageProblem) };
  } catch (error) {
    if (!(error instanceof TopoBenchError)) throw error;
    const { message, hint } = error;
    const place = { file: 'setting' as const, line: 1, column: 1, severity: 'error' as const };
    return { problems: [{ ...place, message, ...(hint !== undefined && { hint }) }] };
  }
}

function pageProblem({ file, line, column, severity = 'error', message, hint }: Problem): PageProblem {
  const known = file === 'rules' ? 'rules' : 'topology';
  return { file: known, line, column, severity, message, ...(hint !== undefined && { hint }) };
}

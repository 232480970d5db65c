/** What sliders of a report can predict: the settings of a measured run that the model of simulations knows. */
import { architectureLevel, describeCell, type RunFolder, TopoBenchError } from '@topo-bench/core';
import type { WhatIfOfRun } from '@topo-bench/report';
import { unknownPart } from '@topo-bench/routing/calibration';
import { flowServices, loadTopology, type TopologySources } from '@topo-bench/topology';
import type { ExperimentCell, Study } from '@topo-bench/trial';
import { recordedExperiment } from './recorded-experiment.ts';

/** @returns undefined for several runs, simulated ones, other kinds of study, and without such a setting */
export function whatIfOf([run, ...others]: readonly RunFolder[], studies: readonly Study[]): WhatIfOfRun | undefined {
  if (!run || others.length > 0 || run.record.simulation || run.record.study !== 'routing') return undefined;
  const resolved = recordedExperiment(run, studies);
  const found: WhatIfOfRun = { cores: run.record.environment.cores, hasSizes: false, texts: [], settings: [] };
  for (const cell of resolved?.cells ?? []) {
    const sources = resolved?.sourcesOf(cell);
    const { levels, settings, graph } = cell;
    // Replications of the page have arrivals of a Poisson process.
    if (!sources || unknownPart(cell) !== undefined || settings.load.arrivals !== 'poisson') continue;
    const title = describeCell(otherLevels(cell));
    const known = found.settings.find((one) => one.title === title);
    const setting: WhatIfOfRun['settings'][number] = known ?? {
      ...{ title, cells: [], overrides: sources.overrides ?? {}, servedBefore: settings.warmup.requests },
      texts: indexOf(found.texts, {
        topology: sources.topology.text,
        ...(sources.rules && { rules: sources.rules.text }),
      }),
    };
    if (!known) found.settings.push(setting);
    if (!known) found.hasSizes = hasSizes(sources) && (found.settings.length === 1 || found.hasSizes);
    setting.cells.push({
      ...{ architecture: architectureLevel(graph.enforcement), services: flowServices(graph.flow).length },
      ...{ rate: settings.load.rate, levels },
    });
  }
  return found.settings.length === 0 ? undefined : found;
}

/** Sliders and rows have the others. */
function otherLevels({ levels: { architecture, routers, services, rate, ...others } }: ExperimentCell) {
  return others;
}

/** A flow that names its services one by one has one size. */
function hasSizes({ overrides, ...sources }: TopologySources): boolean {
  try {
    const factors = { ...overrides?.factors, services: someSize };
    return loadTopology({ ...sources, overrides: { ...overrides, factors } }).graph !== undefined;
  } catch (error) {
    if (error instanceof TopoBenchError) return false;
    throw error;
  }
}

/** More than a topology names one by one. */
const someSize = 100;

/** Adds what is not there yet. */
function indexOf(texts: WhatIfOfRun['texts'], text: WhatIfOfRun['texts'][number]): number {
  const at = texts.findIndex(({ topology, rules }) => topology === text.topology && rules === text.rules);
  return at >= 0 ? at : texts.push(text) - 1;
}

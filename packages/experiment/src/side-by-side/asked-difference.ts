/** The smallest difference that a side-by-side measurement asks for, in place of the one in its experiment. */
import type { ExperimentFile } from '@topo-bench/core/schema/experiment';
import { type Sides, sideNames } from '@topo-bench/trial';
import type { ResolvedExperiment } from '../resolve-experiment.ts';

/**
 * It limits the lag of requests, which then cannot change a verdict on this difference.
 * @param share of the baseline; not finite: that of the experiment
 */
export function withSmallestDifference(sides: Sides<ResolvedExperiment>, share: number): Sides<ResolvedExperiment> {
  if (!Number.isFinite(share)) return sides;
  const changed = <T extends Pick<ExperimentFile, 'validity'>>(settings: T): T => ({
    ...settings,
    validity: { ...settings.validity, smallestDifference: share },
  });
  const [baseline, candidate] = sideNames.map((name) => {
    const { experiment, cells, ...side } = sides[name];
    const asked = cells.map((cell) => ({ ...cell, settings: changed(cell.settings) }));
    return { ...side, experiment: changed(experiment), cells: asked };
  });
  return { baseline, candidate } as Sides<ResolvedExperiment>;
}

/** What a store study adds to experiment files, factors and cells. */

import type { SettingsWith } from '@topo-bench/core/schema/experiment';
import type { CellWith } from '@topo-bench/core/schema/result';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import type { ExperimentCell } from '@topo-bench/trial';
import { persistenceResult } from './payload-schema.ts';
import { persistence } from './settings-schema.ts';

export const parts = joinStudy({
  kind: 'store',
  factors: { workload: { scope: 'experiment', path: 'persistence.workload' } },
  own: { name: 'persistence', settings: persistence, payload: persistenceResult },
});

export type StoreExperiment = SettingsWith<typeof parts.own>;
export type StoreEntry = CellWith<typeof parts.own>;
export type StoreTrial = ExperimentCell & { settings: StoreExperiment };

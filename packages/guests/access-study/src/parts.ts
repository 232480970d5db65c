/** What a data-access study adds to experiment files, factors and cells. */

import type { SettingsWith } from '@topo-bench/core/schema/experiment';
import type { CellWith } from '@topo-bench/core/schema/result';
import { joinStudy } from '@topo-bench/core/schema/study-parts';
import type { ExperimentCell } from '@topo-bench/trial';
import { accessResult } from './payload-schema.ts';
import { access } from './settings-schema.ts';

export const parts = joinStudy({
  kind: 'access',
  factors: {
    variant: { scope: 'experiment', path: 'access.variant', describe: String },
    source: { scope: 'experiment', path: 'access.source', describe: String },
    volume: {
      scope: 'experiment',
      path: 'access.rows',
      unit: 'rows',
      describe: (level) => `${Number(level).toLocaleString('en-US')} rows`,
    },
    query: { scope: 'experiment', path: 'access.query' },
  },
  own: { name: 'access', settings: access, payload: accessResult, withoutServices: 'TB_EXPERIMENT_ACCESS' },
});

export type AccessExperiment = SettingsWith<typeof parts.own>;
export type AccessEntry = CellWith<typeof parts.own>;
export type AccessTrial = ExperimentCell & { settings: AccessExperiment };

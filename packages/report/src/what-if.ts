/** What a page needs to predict the cells of a run at other rates and sizes, next to what was measured. */
import type { DemandModel } from '@topo-bench/core/schema/calibration';
import type { BoxPlot } from './model/box-plot.ts';

/** Where a cell lies among the sliders. */
export interface WhatIfCell {
  /** Level of the architecture, with its count. */
  architecture: string;
  services: number;
  rate: number;
}

export interface WhatIfSetting<Cell extends WhatIfCell> {
  /** Levels of the other factors, as display text; empty without any. */
  title: string;
  /** Index of its texts. */
  texts: number;
  overrides: { set?: Readonly<Record<string, unknown>>; factors?: Readonly<Record<string, unknown>> };
  /** Requests that every process has served before a load. */
  servedBefore: number;
  cells: Cell[];
}

export interface WhatIf<Cell extends WhatIfCell> {
  /** Cores of the machine that measured. */
  cores: number;
  /** Whether the number of services can be another one. */
  hasSizes: boolean;
  /** Texts of topologies with their rules. */
  texts: { topology: string; rules?: string }[];
  /** At least one, each with at least one cell. */
  settings: WhatIfSetting<Cell>[];
}

/** As the page contains it: JSON, where null stands for infinity. */
export type WhatIfData = WhatIf<WhatIfCell & { box: BoxPlot }> & { demand: DemandModel; infinite: string };

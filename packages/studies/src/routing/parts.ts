/** A routing study adds no fields: its settings and figures are those of every experiment. */
import { joinStudy } from '@topo-bench/core/schema/study-parts';

export const parts = joinStudy({ kind: 'routing', factors: {} });

/** The registry: one line for each kind of study. */
import type { Study } from '@topo-bench/experiment';
import { routing } from './routing/study.ts';
import { store } from './store/study.ts';
import { transfer } from './transfer/study.ts';

/** In the order in which an experiment is tried against them: routing has no settings of its own, so it takes the rest. */
export const studies: readonly Study[] = [transfer, store, routing];

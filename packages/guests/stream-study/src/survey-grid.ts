/** The Hazelcast cluster that a run would put in front of its databases, without a run: shown by `doctor`. */
import type { TopoBenchError } from '@topo-bench/core';
import { connectOnce, variable } from './require-grid.ts';

export interface GridSurvey {
  /** Address of the named cluster; undefined when none is named. */
  found: string | undefined;
  /** Why a run could not use it. */
  problem: string | undefined;
  /** Variable that names one. */
  variable: string;
}

export async function surveyGrid(): Promise<GridSurvey> {
  const url = process.env[variable];
  if (!url) return { found: undefined, problem: undefined, variable };
  try {
    await connectOnce(url);
    return { found: url, problem: undefined, variable };
  } catch (error) {
    // An address that cannot be parsed may contain a password.
    const { code, message } = error as TopoBenchError;
    return { found: code === 'TB_STORE_URL' ? variable : url, problem: message, variable };
  }
}

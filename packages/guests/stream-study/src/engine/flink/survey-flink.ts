/** The Flink cluster that a run would use, without a run: shown by `doctor`. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import { jobFolder } from '@topo-bench/streams/flink';
import { clusterAt, flag, flinkUrlOf, release, variable } from './require-flink.ts';

export interface FlinkSurvey {
  /** The named cluster: its version and slots if it answers; undefined when none is named. */
  cluster: string | undefined;
  isJobBuilt: boolean;
  /** Why a run could not use the named cluster. */
  problem: string | undefined;
  /** What adds the missing parts; undefined when nothing is missing. */
  remedy: string | undefined;
}

export async function surveyFlink(): Promise<FlinkSurvey> {
  const missingJob = await failureOf(async () => void jobFolder());
  const isJobBuilt = missingJob === undefined;
  if (!process.env[variable]) {
    const remedy = [`${start()}, and name it with ${flag} or ${variable}`, missingJob?.hint];
    return { cluster: undefined, isJobBuilt, problem: undefined, remedy: joined(remedy) };
  }
  let cluster = variable;
  const missingCluster = await failureOf(async () => {
    const url = flinkUrlOf({});
    cluster = url;
    const { version, slots, freeSlots } = await clusterAt(url);
    cluster = `Flink ${version}, ${freeSlots} of ${slots} slots free, ${url}`;
  });
  const failures = [missingCluster, missingJob].filter((failure) => failure !== undefined);
  const problem = joined(failures.map(({ message }) => message));
  return { cluster, isJobBuilt, problem, remedy: joined(failures.map(({ hint }) => hint)) };
}

/** The command of a distribution, if FLINK_HOME names one. */
function start(): string {
  const script = process.env.FLINK_HOME && join(process.env.FLINK_HOME, 'bin', 'start-cluster.sh');
  return script && existsSync(script) ? `start it with ${script}` : `start a cluster of Flink ${release}`;
}

async function failureOf(check: () => Promise<void>): Promise<TopoBenchError | undefined> {
  try {
    await check();
    return undefined;
  } catch (error) {
    if (error instanceof TopoBenchError) return error;
    throw error;
  }
}

function joined(texts: readonly (string | undefined)[]): string | undefined {
  const given = texts.filter((text) => text !== undefined);
  return given.length === 0 ? undefined : given.join('; ');
}

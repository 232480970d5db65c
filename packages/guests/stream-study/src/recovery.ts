/** A job whose processor is killed in the middle, and resumed from its checkpoint by a new processor. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TopoBenchError } from '@topo-bench/core';
import { EmbeddedEngine } from './engine/embedded/engine.ts';
import type { EngineSettings, JobOutcome, JobRequest } from './engine/job.ts';

export interface RecoveredJob {
  outcome: JobOutcome;
  killedAfterUs: number;
  resumedAt: number;
  replayed: number;
  resumeUs: number;
}

/**
 * @param request at a rate, and longer than `killAfterUs`
 * @param limited the timeout of a step
 * @throws TopoBenchError `TB_STREAM_ENGINE` when the job ends before the kill, or a processor fails
 */
export async function recoveredJob(
  settings: EngineSettings,
  request: JobRequest & { ratePerSecond: number },
  killAfterUs: number,
  limited: <T>(step: Promise<T>) => Promise<T>,
): Promise<RecoveredJob> {
  const first = new EmbeddedEngine();
  const second = new EmbeddedEngine();
  try {
    await Promise.all([limited(first.prepare(settings)), limited(second.prepare(settings))]);
    const startMs = performance.now();
    const ended = first.run(request).then(
      () => true,
      (error: unknown) => error,
    );
    const early = await limited(Promise.race([ended, sleep(killAfterUs / 1e3, undefined, { ref: false })]));
    if (early instanceof Error) throw early;
    if (early === true) throw new TopoBenchError('TB_STREAM_ENGINE', 'the job ended before its processor was killed');
    await first.kill();
    const killedMs = performance.now();
    const { database, url, points } = request;
    // At full speed: the points of the schedule are overdue.
    const outcome = await limited(second.run({ database, url, points, resume: true }));
    const killedAfterUs = (killedMs - startMs) * 1e3;
    const resumedAt = points - outcome.events;
    const due = Math.min(points, Math.floor((killedAfterUs * request.ratePerSecond) / 1e6));
    const resumeUs = (performance.now() - killedMs) * 1e3;
    return { outcome, killedAfterUs, resumedAt, replayed: Math.max(0, due - resumedAt), resumeUs };
  } finally {
    await Promise.all([first.stop(), second.stop()]);
  }
}

/** The runs of studies that deploy no roles, opened on first use. */
import type { RunEnvironment, StudyRun, StudyWithoutRoles } from './measured-study.ts';

export class StudyRuns {
  readonly #environment: RunEnvironment;
  readonly #runs = new Map<StudyWithoutRoles, Promise<StudyRun>>();

  constructor(environment: RunEnvironment) {
    this.#environment = environment;
  }

  of(study: StudyWithoutRoles): Promise<StudyRun> {
    const run = this.#runs.get(study) ?? study.openRun(this.#environment);
    this.#runs.set(study, run);
    return run;
  }

  async close(): Promise<void> {
    const runs = await Promise.allSettled(this.#runs.values());
    this.#runs.clear();
    await Promise.all(runs.map((run) => (run.status === 'fulfilled' ? run.value.close() : undefined)));
  }
}

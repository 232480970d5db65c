/** One line of `doctor`: the finding, its effect on runs, and the command that adds a missing part. */
export interface MachineCheck {
  name: string;
  /** `missing` only where a verb cannot run without it. */
  status: 'ok' | 'limited' | 'missing' | 'optional';
  found: string;
  /** The purpose of the checked part, or the effect of its absence. */
  effect: string;
  /** Command that adds the missing part. */
  remedy?: string;
}

/** One line of `doctor`: the finding, its effect on runs, and the command that adds what is missing. */
export interface MachineCheck {
  name: string;
  /** `missing` only where a verb cannot run without it. */
  status: 'ok' | 'limited' | 'missing' | 'optional';
  found: string;
  /** What it is for, or what its lack costs. */
  effect: string;
  /** Command that adds what is missing. */
  remedy?: string;
}

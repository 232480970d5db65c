/**
 * Reads flags from the environment: `TOPO_BENCH_WARMUP_MAX=10s` means `--warmup-max 10s`. The flag takes precedence.
 */
import type { Command } from 'commander';

/** Adds a variable to each option that takes a value. Switches have none: their absence is unambiguous. */
export function offerEnvironmentVariables(command: Command): void {
  for (const option of command.options) {
    if (option.long && (option.required || option.optional)) {
      option.env(`TOPO_BENCH_${option.long.slice(2).replaceAll('-', '_').toUpperCase()}`);
    }
  }
}

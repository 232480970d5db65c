/**
 * Reads flags from the environment: `TOPO_BENCH_WARMUP_MAX=10s` means `--warmup-max 10s`. The flag takes precedence.
 */
import { Command, type Option } from 'commander';

/**
 * A command with a variable for each option that takes a value. Switches have none: their absence is unambiguous.
 * Commander reads only variables that an option has when it is added.
 */
export class CommandWithVariables extends Command {
  override addOption(option: Option): this {
    if (option.long && (option.required || option.optional)) {
      option.env(`TOPO_BENCH_${option.long.slice(2).replaceAll('-', '_').toUpperCase()}`);
    }
    return super.addOption(option);
  }
}

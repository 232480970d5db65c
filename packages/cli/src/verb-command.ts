/** The command of a verb, as commander parses it. */
import { Command, type Option } from 'commander';
import type { Verb } from './verbs.ts';

/** The command of a verb with its options and parts; the code behind it is loaded when it runs. */
export async function commandOf(verb: Verb, parent: Command): Promise<Command> {
  const command = new CommandWithVariables(verb.name).summary(verb.summary).copyInheritedSettings(parent);
  (await verb.options()).options(command.helpOption('-h, --help', 'show this help'));
  const { action, parts = [] } = verb;
  if (action) {
    command.action(async (...given) => {
      const { requireNoIgnored } = await import('./ignored-options.ts');
      requireNoIgnored(verb.name, command);
      await (await action()).action(...(given as never[]));
    });
  }
  for (const part of parts) command.addCommand(await commandOf(part, command));
  return command;
}

/**
 * A command with a variable for each option that takes a value: `TOPO_BENCH_WARMUP_MAX=10s` means `--warmup-max 10s`.
 * The flag takes precedence. Switches have none: their absence is unambiguous. Commander reads only variables that an
 * option has when it is added.
 */
class CommandWithVariables extends Command {
  override addOption(option: Option): this {
    if (option.long && (option.required || option.optional)) {
      option.env(`TOPO_BENCH_${option.long.slice(2).replaceAll('-', '_').toUpperCase()}`);
    }
    return super.addOption(option);
  }
}

/** The command of a verb, as commander parses it. */
import type { Command } from 'commander';
import { CommandWithVariables } from './environment-variables.ts';
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

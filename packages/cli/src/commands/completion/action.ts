/** The work of `completion`: reads the flags of every verb from its command, and prints the script. */
import type { Command } from 'commander';
import type { Shell } from './options.ts';
import { type CompletedCommand, scriptFor } from './scripts.ts';

export async function action(shell: Shell, _flags: unknown, { parent }: Command): Promise<void> {
  process.stdout.write(scriptFor(shell, (parent?.commands ?? []).map(completedCommand)));
}

function completedCommand(command: Command): CompletedCommand {
  return {
    name: command.name(),
    summary: command.summary(),
    options: command.options.flatMap(({ long, description, argChoices = [], required }) =>
      long ? [{ long, description, choices: argChoices, takesValue: required }] : [],
    ),
    choices: command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    parts: command.commands.map(completedCommand),
  };
}

/** The work of `completion`: reads the flags of every verb from its command, and prints the script. */
import type { Command } from 'commander';
import type { Shell } from './options.ts';
import { type CompletedCommand, scriptFor } from './scripts.ts';

export async function action(shell: Shell, _flags: unknown, { parent }: Command): Promise<void> {
  const commands = (parent?.commands ?? []).map(completedCommand);
  process.stdout.write(scriptFor(shell, [...commands, helpOn(commands)]));
}

/** `help` takes the words of a command as its arguments, and is no command of the program. */
function helpOn(commands: readonly CompletedCommand[]): CompletedCommand {
  const named = ({ name, summary, parts }: CompletedCommand): CompletedCommand => {
    return { name, summary, options: [], choices: [], parts: parts.map(named) };
  };
  return { name: 'help', summary: 'show the help of a command', options: [], choices: [], parts: commands.map(named) };
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

/** Entry of the command line tool: loads and runs the called verb, and turns every error into an exit code. */

import { TopoBenchError } from '@topo-bench/core';
import { Command, CommanderError } from 'commander';
import { reportFailure } from './failure.ts';
import { ignoreClosedPipes } from './output.ts';
import { commandOf } from './verb-command.ts';
import { type Verb, verbs } from './verbs.ts';
import { version } from './version.ts';

/** Runs the tool on these arguments (without `node` and the script) and sets the exit code of the process. */
export async function start(given: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  const args = given[0] === 'help' ? helpOf(given.slice(1)) : given;
  try {
    await (await program(args)).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const failure = error instanceof CommanderError ? usageError(error, args) : error;
    process.exitCode = reportFailure(failure, { json: args.includes('--json') });
  }
}

/** `help VERB` is `VERB --help`, also for verbs of the second level. An unknown name fails as it does alone. */
function helpOf([name, part]: readonly string[]): string[] {
  if (name === undefined) return ['--help'];
  const verb = verbs.find((one) => one.name === name);
  if (!verb) return [name];
  if (part === undefined || !verb.parts) return [name, '--help'];
  return verb.parts.some((one) => one.name === part) ? [name, part, '--help'] : [name, part];
}

async function program(args: readonly string[]): Promise<Command> {
  const root = new Command('topo-bench')
    .description(
      'Measures where routing and compliance rules should be enforced: central entity, dynamic routers or sidecars.',
    )
    .usage('<command> [options]')
    .version(version(), '-V, --version')
    .helpOption('-h, --help', 'show help; `topo-bench <command> --help` opens with examples')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => {} })
    .exitOverride()
    .addHelpText('before', 'Try it:\n  topo-bench run quickstart\n');
  for (const verb of verbs) {
    root.addCommand(
      needsOptions(verb, args) ? await commandOf(verb, root) : new Command(verb.name).summary(verb.summary),
    );
  }
  return root;
}

/** A verb is loaded when it is called, and all verbs for the script that completes their flags. */
function needsOptions({ name }: Verb, [called]: readonly string[]): boolean {
  return called === name || called === 'completion';
}

/** A parse error of commander as a TopoBenchError, with the suggestion as its hint. */
function usageError(error: CommanderError, args: readonly string[]): TopoBenchError {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const verb = verbs.find(({ name }) => name === args[0]);
  const part = verb?.parts?.find(({ name }) => name === args[1]);
  const help = `see ${['topo-bench', verb?.name, part?.name].filter(Boolean).join(' ')} --help`;
  if (error.code === 'commander.help')
    return new TopoBenchError('TB_USAGE', 'topo-bench needs a command: got none', { hint: help });
  const didYouMean = suggestion?.replace(/^\((.*)\)$/, '$1');
  return new TopoBenchError('TB_USAGE', first, { hint: didYouMean ? `${didYouMean}; ${help}` : help });
}

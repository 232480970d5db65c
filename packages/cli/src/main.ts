/** Entry of the command line tool: loads and runs the called verb, and turns every error into an exit code. */
import { Command, CommanderError } from 'commander';
import { offerEnvironmentVariables } from './environment-variables.ts';
import { reportFailure } from './failure.ts';
import { ignoreClosedPipes } from './output.ts';
import { usageError } from './usage-error.ts';
import { type Verb, verbs } from './verbs.ts';
import { version } from './version.ts';

/** Runs the tool on these arguments (without `node` and the script) and sets the exit code of the process. */
export async function start(given: readonly string[]): Promise<void> {
  ignoreClosedPipes();
  const args = given[0] === 'help' ? helpOf(given[1]) : given;
  try {
    await (await program(args)).parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const failure = error instanceof CommanderError ? usageError(error, args) : error;
    process.exitCode = reportFailure(failure, { json: args.includes('--json') });
  }
}

/** `help VERB` is `VERB --help`; an unknown verb fails as it does alone. */
function helpOf(name: string | undefined): string[] {
  if (name === undefined) return ['--help'];
  return verbs.some((verb) => verb.name === name) ? [name, '--help'] : [name];
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
    root.addCommand(args[0] === verb.name ? await loaded(verb, root) : new Command(verb.name).summary(verb.summary));
  }
  return root;
}

/** The command of a verb with its options and parts; the code behind it is loaded when it runs. */
async function loaded(verb: Verb, parent: Command): Promise<Command> {
  const command = new Command(verb.name).summary(verb.summary).copyInheritedSettings(parent);
  (await verb.options()).options(command.helpOption('-h, --help', 'show this help'));
  offerEnvironmentVariables(command);
  const { action, parts = [] } = verb;
  if (action) command.action(async (...given) => (await action()).action(...(given as never[])));
  for (const part of parts) command.addCommand(await loaded(part, command));
  return command;
}

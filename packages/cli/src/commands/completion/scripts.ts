/** The completion script of each shell. Where it knows no word, the shell completes files. */
import type { Shell } from './options.ts';

export interface CompletedCommand {
  name: string;
  summary: string;
  options: readonly { long: string; description: string; choices: readonly string[]; takesValue: boolean }[];
  /** Values of its argument. */
  choices: readonly string[];
  parts: readonly CompletedCommand[];
}

export function scriptFor(shell: Shell, commands: readonly CompletedCommand[]): string {
  return { bash, zsh, fish }[shell](commands);
}

/** A command with the words before it: `rules test`. */
interface Placed extends CompletedCommand {
  path: string;
}

function placed(commands: readonly CompletedCommand[], before = ''): Placed[] {
  return commands.flatMap((command) => {
    const path = `${before}${command.name}`;
    return [{ ...command, path }, ...placed(command.parts, `${path} `)];
  });
}

/** Names of the commands whose second word is a command of its own. */
function withParts(commands: readonly CompletedCommand[]): string {
  return commands.flatMap(({ name, parts }) => (parts.length > 0 ? [name] : [])).join('|');
}

function wordsOf({ parts, choices, options }: CompletedCommand): string[] {
  return [...parts.map(({ name }) => name), ...choices, ...options.map(({ long }) => long), '--help'];
}

function bash(commands: readonly CompletedCommand[]): string {
  const all = placed(commands);
  const values = all.flatMap(({ path, options }) =>
    options.flatMap(({ long, choices, takesValue }) => {
      if (!takesValue) return [];
      return [`    '${path} ${long}') words='${choices.join(' ')}' ;;`];
    }),
  );
  return `# Completion of topo-bench for bash.
_topo_bench() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" verb="\${COMP_WORDS[1]}" words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands.map(({ name }) => name).join(' ')} --help --version' -- "$current"))
    return
  fi
  case "$verb" in
    ${withParts(commands)}) [ "$COMP_CWORD" -gt 2 ] && verb="$verb \${COMP_WORDS[2]}" ;;
  esac
  case "$verb $previous" in
${values.join('\n')}
    *) case "$verb" in
${all.map((command) => `      '${command.path}') words='${wordsOf(command).join(' ')}' ;;`).join('\n')}
    esac ;;
  esac
  [ -n "$words" ] && COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _topo_bench topo-bench
`;
}

function zsh(commands: readonly CompletedCommand[]): string {
  const describe = (name: string, text: string): string => quoted(`${name.replaceAll(':', '\\:')}:${text}`);
  const optionsOf = ({ options }: CompletedCommand): string =>
    options.map(({ long, description }) => describe(long, description)).join(' ');
  const namesOf = (of: readonly CompletedCommand[]): string =>
    of.map(({ name, summary }) => describe(name, summary)).join(' ');
  const cases = placed(commands).map((command) => {
    const values = [namesOf(command.parts), command.choices.map(quoted).join(' ')].filter((text) => text !== '');
    return `    ${quoted(command.path)}) options=(${optionsOf(command)}) values=(${values.join(' ')}) ;;`;
  });
  // A flag with a value is followed by one of its choices, or by a file.
  const valuesOf = placed(commands).flatMap(({ path, options }) =>
    options.flatMap(({ long, choices, takesValue }) => {
      if (!takesValue) return [];
      const complete =
        choices.length > 0 ? `values=(${choices.map(quoted).join(' ')}); _describe value values` : '_files';
      return [`    ${quoted(`${path} ${long}`)}) ${complete}; return ;;`];
    }),
  );
  return `#compdef topo-bench
# Completion of topo-bench for zsh.
_topo_bench() {
  local -a options values
  if (( CURRENT == 2 )); then
    values=(${namesOf(commands)})
    _describe command values
    return
  fi
  local verb="$words[2]"
  [[ "$verb" == (${withParts(commands)}) ]] && (( CURRENT > 3 )) && verb="$verb $words[3]"
  case "$verb $words[CURRENT-1]" in
${valuesOf.join('\n')}
  esac
  case "$verb" in
${cases.join('\n')}
  esac
  if [[ "$words[CURRENT]" == -* ]]; then _describe option options
  elif (( $#values )); then _describe value values
  else _files
  fi
}
# As the file _topo-bench of fpath this is the completion itself at its first call. Sourced it is registered only.
if [[ "$funcstack[1]" == _topo-bench ]]; then _topo_bench "$@"
else compdef _topo_bench topo-bench
fi
`;
}

function fish(commands: readonly CompletedCommand[]): string {
  const line = (...words: string[]): string => ['complete', '-c', 'topo-bench', ...words].join(' ');
  const seenIn = ({ path }: Placed): string =>
    path
      .split(' ')
      .map((name) => `__fish_seen_subcommand_from ${name}`)
      .join('; and ');
  const of = (command: Placed): string => quoted(seenIn(command));
  // `help` has the names of commands as arguments, and none of their flags.
  const beforeFlag = (command: Placed): string =>
    quoted(`${seenIn(command)}; and not __fish_seen_subcommand_from help`);
  // After a part come the arguments of that part.
  const beforePart = (command: Placed): string =>
    quoted(
      `${seenIn(command)}; and not __fish_seen_subcommand_from ${command.parts.map(({ name }) => name).join(' ')}`,
    );
  const verbs = commands.map(({ name, summary }) =>
    line('-n', '__fish_use_subcommand', '-f', '-a', name, '-d', quoted(summary)),
  );
  const others = placed(commands).flatMap((command) => [
    ...command.parts.map(({ name, summary }) =>
      line('-n', beforePart(command), '-f', '-a', name, '-d', quoted(summary)),
    ),
    ...(command.choices.length > 0 ? [line('-n', of(command), '-f', '-a', quoted(command.choices.join(' ')))] : []),
    ...command.options.map(({ long, description, choices, takesValue }) =>
      line(
        ...['-n', beforeFlag(command), '-l', long.slice(2)],
        ...(takesValue ? ['-r'] : []),
        ...(choices.length > 0 ? ['-f', '-a', quoted(choices.join(' '))] : []),
        ...['-d', quoted(description)],
      ),
    ),
  ]);
  return `${['# Completion of topo-bench for fish.', ...verbs, ...others].join('\n')}\n`;
}

/** One word for any of the shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

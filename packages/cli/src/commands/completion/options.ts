/** `completion`: the script by which a shell completes verbs, flags and their values. */
import { Argument, type Command } from 'commander';

/** The shells that the scripts are written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

const examples = `Examples:
  topo-bench completion bash >> ~/.bashrc
  topo-bench completion zsh > "\${fpath[1]}/_topo-bench"
  topo-bench completion fish > ~/.config/fish/completions/topo-bench.fish
`;

export function options(command: Command): void {
  command
    .description('Prints a script that completes verbs, flags and their values in a shell.')
    .addArgument(new Argument('<shell>', 'the shell').choices(shells))
    .addHelpText('before', examples);
}

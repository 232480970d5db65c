/** `mcp`: the questions of topo-bench as tools of the Model Context Protocol. */
import type { Command } from 'commander';
import { collect } from '../../option-values.ts';

const examples = `Examples:
  topo-bench mcp                                    files below this folder
  topo-bench mcp --root ../shop --root ../runs      files below these folders

As a client starts it:
  { "mcpServers": { "topo-bench": { "command": "topo-bench", "args": ["mcp"] } } }
`;

export interface McpFlags {
  root?: string[];
}

export function options(command: Command): void {
  command
    .description(
      'Serves the Model Context Protocol on standard input and output, with the tools validate, simulate, run, compare ' +
        'and explain. Every answer has interval, validity, source and the command that repeats it.',
    )
    .option('--root <folder>', 'folder whose files may be read; may be repeated (default: this folder)', collect)
    .addHelpText('before', examples);
}

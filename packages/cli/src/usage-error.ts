/** A parse error of commander as a TopoBenchError, with the suggestion as its hint. */
import { TopoBenchError } from '@topo-bench/core';
import type { CommanderError } from 'commander';
import { verbs } from './verbs.ts';

export function usageError(error: CommanderError, args: readonly string[]): TopoBenchError {
  const [first = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const verb = verbs.find(({ name }) => name === args[0]);
  const part = verb?.parts?.find(({ name }) => name === args[1]);
  const help = `see ${['topo-bench', verb?.name, part?.name].filter(Boolean).join(' ')} --help`;
  if (error.code === 'commander.help')
    return new TopoBenchError('TB_USAGE', 'topo-bench needs a command: got none', { hint: help });
  const didYouMean = suggestion?.replace(/^\((.*)\)$/, '$1');
  return new TopoBenchError('TB_USAGE', first, { hint: didYouMean ? `${didYouMean}; ${help}` : help });
}

/** Serves until the client closes standard input, or a signal ends it. What runs then is aborted and torn down. */
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { note } from '../../output.ts';
import { version } from '../../version.ts';
import { Measurements } from './measurements.ts';
import type { McpFlags } from './options.ts';
import { ReadableFiles } from './readable-files.ts';
import { addTools } from './tools.ts';

export async function action({ root = ['.'] }: McpFlags): Promise<void> {
  const files = await ReadableFiles.below(root);
  const measurements = new Measurements();
  const handle = serveStdio(
    () => {
      const server = new McpServer({ name: 'topo-bench', version: version() }, { capabilities: { tools: {} } });
      addTools(server, { files, measurements });
      return server;
    },
    { onerror: (error) => note(`warning: ${error.message}`) },
  );
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, () => void handle.close());
}

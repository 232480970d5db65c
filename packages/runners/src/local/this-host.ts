/** The host of all local roles: this machine, with the Node.js that runs them. */
import type { Host } from '@topo-bench/core/schema/result';
import { programOutput, readHostEnvironment } from '@topo-bench/host';

/** @param nodeBinary of the roles. If it does not start, the start of the roles reports it. */
export async function thisHost(nodeBinary: string): Promise<Host> {
  const environment = readHostEnvironment();
  const node = nodeBinary === process.execPath ? environment.node : await versionOf(nodeBinary);
  return { id: environment.hostname, ...environment, node };
}

async function versionOf(nodeBinary: string): Promise<string> {
  return (await programOutput(nodeBinary, ['--version']))?.trim().replace(/^v/, '') ?? 'unknown';
}

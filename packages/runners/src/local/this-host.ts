/** The host of all local roles: this machine, with the Node.js that runs them. */
import type { Host } from '@topo-bench/core/schema/result';
import { programOutput, readHostEnvironment } from '@topo-bench/host';

/** @param nodeBinary that runs the roles; a binary that does not start is reported by the start of the roles */
export async function thisHost(nodeBinary: string): Promise<Host> {
  const environment = readHostEnvironment();
  const node = nodeBinary === process.execPath ? environment.node : await versionOf(nodeBinary);
  return { id: environment.hostname, ...environment, node };
}

async function versionOf(nodeBinary: string): Promise<string> {
  return (await programOutput(nodeBinary, ['--version']))?.trim().replace(/^v/, '') ?? 'unknown';
}

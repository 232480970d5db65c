/** The host of all roles in containers: that of the engine. */
import { createHash } from 'node:crypto';
import type { Engine } from '@topo-bench/containers';
import type { Host } from '@topo-bench/core/schema/result';
import { readHostEnvironment } from '@topo-bench/host';

/** All but the version of Node.js, which is that of the image of the roles. */
export function engineHost({ facts }: Engine): Omit<Host, 'node'> {
  if (facts.local) {
    const { node: _, ...environment } = readHostEnvironment();
    return { id: environment.hostname, ...environment };
  }
  const hostname = createHash('sha256').update(facts.hostName).digest('hex').slice(0, 12);
  return {
    id: hostname,
    platform: 'linux',
    arch: facts.arch,
    cpuModel: 'unknown',
    cores: facts.cores,
    memoryBytes: facts.memoryBytes,
    kernel: facts.kernel,
    hostname,
  };
}

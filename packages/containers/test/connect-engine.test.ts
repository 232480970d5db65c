import { describe, expect, it } from 'vitest';
import { dockerOrSkip } from '../../../test/fixtures/engines.ts';

const docker = await dockerOrSkip();

describe.skipIf(docker.missing)(`the engine${docker.why}`, () => {
  it('reports its product, version and host', async () => {
    const { client, facts } = await docker.engine;
    expect(['Docker', 'Podman']).toContain(facts.product);
    expect(facts.version).toMatch(/^\d+\.\d+/);
    expect([1, 2]).toContain(facts.cgroupVersion);
    expect(['x64', 'arm64']).toContain(facts.arch);
    expect(facts.cores).toBeGreaterThan(0);
    expect(facts.memoryBytes).toBeGreaterThan(2 ** 28);
    expect(await client.listContainers()).toBeInstanceOf(Array);
  });
});

import { type Architecture, architectures, headers, type RoleKind } from '@topo-bench/core';
import { frameworks } from '@topo-bench/core/schema/topology';
import { afterEach, describe, expect, it } from 'vitest';
import { anyRequest, deploy, type TestDeployment, testGraph } from './fixtures/deployment.ts';

let deployment: TestDeployment;
afterEach(() => deployment.close());

const post = async (url: string, extra: Record<string, string>): Promise<number> => {
  const body = JSON.stringify(anyRequest);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...extra },
    body,
  });
  await response.body?.cancel();
  return response.status;
};

/** Routes that take data from other roles. */
function dataPaths(kind: RoleKind, architecture: Architecture): string[] {
  if (kind === 'gateway') return ['/report'];
  return kind === 'service' && architecture !== 'none' ? ['/work'] : ['/flow', '/report'];
}

// Routes follow from the architecture alone, and tokens are checked by each framework.
const cases = architectures.map((architecture, i) => [architecture, frameworks[i % frameworks.length]] as const);

describe.each(cases)('under %s on %s', (architecture, framework) => {
  it('no data route accepts a call without the token of its role', async () => {
    const enforcement = { architecture, routers: 2 };
    deployment = await deploy(testGraph({ framework, services: [{ generate: 2 }], enforcement }));
    const { configs, urls } = deployment;
    for (const { name, kind, secrets } of configs) {
      const { token, controlToken } = secrets;
      const others = configs.filter((config) => config.name !== name).map((config) => config.secrets.token);
      const wrong = [undefined, '', `${token}x`, token.slice(1), token.toUpperCase(), ...others, controlToken];
      for (const path of dataPaths(kind, architecture)) {
        for (const value of wrong) {
          const status = await post(`${urls[name]}${path}`, value === undefined ? {} : { [headers.token]: value });
          expect([name, path, value, status]).toEqual([name, path, value, 401]);
        }
      }
    }
    for (const { name } of configs) expect([name, (await deployment.stats(name)).served]).toEqual([name, 0]);
  });

  it('control routes require the control token, health requires none', async () => {
    deployment = await deploy(testGraph({ framework, services: [{ generate: 1 }], enforcement: { architecture } }));
    const { configs, urls } = deployment;
    for (const { name, kind, secrets } of configs) {
      for (const path of ['/control/stats', '/control/spans', '/control/seen/x']) {
        expect((await fetch(`${urls[name]}${path}`)).status).toBe(401);
        expect((await fetch(`${urls[name]}${path}`, { headers: { [headers.control]: secrets.token } })).status).toBe(
          401,
        );
      }
      expect(await post(`${urls[name]}/control/reset`, {})).toBe(401);
      expect(await (await fetch(`${urls[name]}/health`)).json()).toEqual({ name, kind });
    }
  });
});

describe('the gateway', () => {
  it('refuses clients that send tokens of roles, valid or not', async () => {
    deployment = await deploy(testGraph({ services: [{ generate: 1 }] }));
    const { gatewayUrl, configs } = deployment;
    for (const value of ['guess', configs[1]?.secrets.token ?? '']) {
      expect(await post(`${gatewayUrl}/requests`, { [headers.token]: value })).toBe(403);
      expect(await post(`${gatewayUrl}/requests`, { [headers.control]: value })).toBe(403);
    }
    expect(await post(`${gatewayUrl}/requests`, {})).toBe(200);
  });

  it('has no token for a service behind an enforcement point', async () => {
    deployment = await deploy(testGraph({ services: [{ generate: 2 }], enforcement: { architecture: 'sidecar' } }));
    const gateway = deployment.configs.find(({ kind }) => kind === 'gateway');
    expect(Object.keys(gateway?.secrets.peerTokens ?? {})).toEqual(['svc-1-sidecar']);
    const foreign = deployment.configs.filter(({ kind }) => kind === 'service').map(({ secrets }) => secrets.token);
    expect(foreign.filter((token) => JSON.stringify(gateway).includes(token))).toEqual([]);
  });
});

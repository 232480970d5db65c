import { expect, it } from 'vitest';
import { loadTopology } from '../src/load-topology.ts';

const load = (service: string) =>
  loadTopology({
    topology: { text: `apiVersion: topo-bench/v1\nkind: Topology\nname: x\nservices: [${service}]\n`, file: 't.yaml' },
  });

it('an image has port and variables like a command, and defaults', () => {
  const userOf = (service: string) => load(service).graph?.services[0]?.user;
  const image = { kind: 'image', image: 'shop/pricing:2', path: '/', readyWithinUs: 10_000_000 };
  expect(userOf('{ name: a, image: "shop/pricing:2" }')).toEqual({ ...image, port: { env: 'PORT' }, env: {} });
  expect(userOf('{ name: a, image: "shop/pricing:2", port: 3000, env: { LOG: off, N: 3 } }')).toEqual({
    ...image,
    port: 3000,
    env: { LOG: 'off', N: '3' },
  });
});

it('an image has no working directory, and a URL has none of the fields of services that are started', () => {
  const messages = (service: string) => load(service).problems.map(({ message }) => message);
  expect(messages('{ name: a, image: i, cwd: x }')).toEqual(['cwd of "a": only a command has it, not an image']);
  expect(messages('{ name: a, url: "http://h/", port: 1, env: { A: b } }')).toEqual([
    'port of "a": only a command or an image has it, not a url',
    'env of "a": only a command or an image has it, not a url',
  ]);
});

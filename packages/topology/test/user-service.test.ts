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

it.each([
  ['url: "http://ann:s3cret@h/"', 'url', 'it has user and password, which topo-bench does not send'],
  ['url: "https://ann@h/"', 'url', 'it has user and password, which topo-bench does not send'],
  ['url: "http://h/p?currency=EUR&token=s3cret"', 'url', 'would contain its parameter "token"'],
  ['url: "http://h/p?apiKey=s3cret"', 'url', 'would contain its parameter "apiKey"'],
  ['url: "http://h/p?subscription-key=s3cret"', 'url', 'would contain its parameter "subscription-key"'],
  ['url: "http://h/p?X-Amz-Signature=s3cret"', 'url', 'would contain its parameter "X-Amz-Signature"'],
  ['image: i, path: "/p?access_token=s3cret"', 'path', 'would contain its parameter "access_token"'],
  ['command: c, health: "/h?sig=s3cret"', 'health', 'would contain its parameter "sig"'],
])('a secret in an address is refused without its value: %s', (fields, field, message) => {
  const [problem, ...others] = load(`{ name: a, ${fields} }`).problems;
  expect(problem).toMatchObject({ code: 'TB_TOPOLOGY_USER_SERVICE' });
  expect(problem?.message).toContain(`${field} of "a": `);
  expect(problem?.message).toContain(message);
  expect(JSON.stringify([problem, others])).not.toContain('s3cret');
  expect(others).toEqual([]);
});

it.each(['http://h/p?currency=EUR&author=ann', 'http://h/token/key', 'http://h/?monkey=1&tokens=3'])(
  'an address without a secret is accepted: %s',
  (url) => void expect(load(`{ name: a, url: "${url}" }`).problems).toEqual([]),
);

it.each([
  ['1.10', '1.1'],
  ['12345678901234567890', '12345678901234567000'],
  ['007', '7'],
  ['1e5', '100000'],
  ['0x1F', '31'],
  ['True', 'true'],
])('a variable whose text would change is refused: %s', (text, changed) => {
  expect(load(`{ name: a, command: c, env: { V: ${text} } }`).problems).toMatchObject([
    {
      code: 'TB_TOPOLOGY_USER_SERVICE',
      line: 4,
      message: expect.stringContaining(`${text}, which would arrive as "${changed}"`),
      hint: `write it in quotes: "${text}"`,
    },
  ]);
  const quoted = load(`{ name: a, command: c, env: { V: "${text}", W: 10, X: 1.5, Y: true, Z: -3 } }`);
  expect(quoted.graph?.services[0]?.user).toMatchObject({ env: { V: text, W: '10', X: '1.5', Y: 'true', Z: '-3' } });
});

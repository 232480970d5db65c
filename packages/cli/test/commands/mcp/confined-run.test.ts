/** `run` of the MCP server: what it deploys are processes of topo-bench on this machine, and nothing else. */
import { describe, expect, it } from 'vitest';
import { fakeBackend } from '../../../../experiment/test/fixtures/fake-backend.ts';
import { runOn } from '../../../src/commands/mcp/tools/measure.ts';
import { head, mcpFolder } from '../../fixtures/mcp-folder.ts';

const folder = mcpFolder();
const shop = folder.experiment('shop.yaml');
const { backend, log } = fakeBackend();
const measure = async (experiment: string, set: Record<string, unknown> = {}, maxSeconds = 60): Promise<object> =>
  runOn(backend, { experiment, set, maxSeconds }, await folder.context());
/** The error of a call that measures nothing. */
const refusalOf = async (...asked: Parameters<typeof measure>) => {
  const before = log.length;
  const refusal = await measure(...asked).then(
    () => undefined,
    ({ code, message, hint }) => ({ code, message, hint }),
  );
  expect(log).toHaveLength(before);
  return refusal;
};
const topologyWith = (name: string, service: string): string => {
  folder.write(`${name}-topology.yaml`, `${head}kind: Topology\nname: own\nservices: [{ name: shop, ${service} }]\n`);
  const text = `${head}kind: Experiment\nname: own\ntopology: ${name}-topology.yaml\nload: { rate: 40 }\n`;
  return folder.write(`${name}.yaml`, text);
};

describe('run of the MCP server', () => {
  it('measures on the runner local, and refuses what takes longer than allowed', async () => {
    expect(await measure(shop)).toMatchObject({ source: 'measured', validity: { repetitions: 4 } });
    const { code, message } = (await refusalOf(shop, {}, 1)) ?? {};
    expect([code, message]).toEqual(['TB_USAGE', expect.stringContaining('more than the 1 s allowed')]);
  });

  it.each(['docker', 'kubernetes'])('refuses the runner %s, from the client and from a file', async (runner) => {
    const refused = {
      code: 'TB_USAGE',
      message: `runner ${runner}: this server measures with the runner local`,
      hint: expect.stringContaining('topo-bench run'),
    };
    expect(await refusalOf(shop, { runner })).toEqual(refused);
    expect(await refusalOf(folder.experiment('own-runner.yaml', `runner: ${runner}\n`))).toEqual(refused);
  });

  it.each([
    ['image', 'persistence: { store: document, image: "mongo:8" }', 'shop has a store of the image mongo:8'],
    ['url', 'persistence: { store: key-value, url: "redis://u:pw@db/0" }', 'shop has a store on a server of your own'],
    ['command', 'command: "node shop.js"', 'shop is user-supplied'],
  ])('refuses a service with a field `%s`', async (name, service, message) => {
    const refusal = await refusalOf(topologyWith(name, service));
    expect(refusal).toMatchObject({ code: 'TB_USAGE', hint: expect.stringContaining('topo-bench run') });
    expect(refusal?.message).toContain(message);
    expect(refusal?.message).not.toContain('pw');
  });

  it('refuses an image that the client sets', async () => {
    const [plain, path] = [
      topologyWith('plain', 'persistence: { store: document }'),
      'topology.services.0.persistence.image',
    ];
    const refusal = await refusalOf(plain, { [path]: 'mongo:8' });
    expect(refusal?.message).toContain('shop has a store of the image mongo:8');
  });
});

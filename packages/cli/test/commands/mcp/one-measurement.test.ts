/** The server measures one experiment at a time: a second call is refused, by the name of the first. */
import { describe, expect, it } from 'vitest';
import { fakeBackend } from '../../../../experiment/test/fixtures/fake-backend.ts';
import type { ToolContext } from '../../../src/commands/mcp/tool-context.ts';
import { runOn, simulate } from '../../../src/commands/mcp/tools/measure.ts';
import { mcpFolder } from '../../fixtures/mcp-folder.ts';

const folder = mcpFolder();
const [shop, other, third] = ['shop.yaml', 'other.yaml', 'third.yaml'].map((name) => folder.experiment(name)) as [
  string,
  string,
  string,
];
const simulated = { experiment: other, calibration: 'assumed-two-cores', maxSeconds: 60 };
const isRefused = { code: 'TB_USAGE', message: expect.stringContaining('run shop.yaml is still running') };

function event(): { happened: Promise<void>; happen(): void } {
  let happen = (): void => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen: () => happen() };
}

/** A measurement that has begun, and waits for `goOn`. */
async function begun(context: ToolContext, fails = false, experiment = shop) {
  const [begin, goOn] = [event(), event()];
  const onMeasure = async () => {
    begin.happen();
    await goOn.happened;
    if (fails) throw new Error('no more');
  };
  const answer = runOn(fakeBackend({ onMeasure }).backend, { experiment, maxSeconds: 60 }, context);
  await begin.happened;
  return { answer, goOn: goOn.happen };
}

describe('a server that measures', () => {
  it('refuses to measure or simulate meanwhile, and does so after the answer', async () => {
    const context = await folder.context();
    const { answer, goOn } = await begun(context);
    const second = fakeBackend();
    const measureOther = () => runOn(second.backend, { experiment: other, maxSeconds: 60 }, context);
    await expect(measureOther()).rejects.toMatchObject(isRefused);
    expect(second.log).toEqual([]);
    await expect(simulate(simulated, context)).rejects.toMatchObject(isRefused);
    goOn();
    expect(await answer).toMatchObject({ validity: { valid: 4 } });
    expect(await measureOther()).toMatchObject({ validity: { valid: 4 } });
  });

  it('that failed measures again', async () => {
    const context = await folder.context();
    const { answer, goOn } = await begun(context, true, folder.experiment('failing.yaml'));
    goOn();
    await answer.catch(() => {});
    const next = runOn(fakeBackend().backend, { experiment: third, maxSeconds: 60 }, context);
    expect(await next).toMatchObject({ validity: { valid: 4 } });
  });
});

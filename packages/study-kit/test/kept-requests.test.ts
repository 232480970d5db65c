import { resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import { expect, it } from 'vitest';

/** @param service undefined for kinds of study that deploy none */
const resolve = (fields: string, service: string | undefined, choices = {}) =>
  resolveExperiment(
    {
      experiment: {
        file: 'e.yaml',
        text: `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\n${service ? 'topology: t.yaml\n' : ''}${fields}`,
      },
      ...(service && {
        topology: {
          file: 't.yaml',
          text: `apiVersion: topo-bench/v1\nkind: Topology\nname: t\nservices: [${service}]\n`,
        },
      }),
      choices,
    },
    studies,
  );

it.each([
  ['persistence', 'persistence: {}\n', '{ name: items, persistence: { store: sql-indexed } }'],
  ['flight', 'flight: {}\nload: { driver: flight }\n', '{ name: items, arrow: { flight: {} } }'],
  ['access', 'access: { rows: 100 }\n', undefined],
  ['stream', 'stream: {}\n', undefined],
])('requests of a study of %s are not kept, and asking for them is refused by name', (kind, fields, service) => {
  const refusal = { code: 'TB_EXPERIMENT_KEEP_REQUESTS', exitCode: 2 };
  const message = expect.stringContaining(`an experiment with \`${kind}\` sends none`);
  const inFile = expect.objectContaining({ ...refusal, problems: [expect.objectContaining({ message })] });
  expect(() => resolve(`keepRequests: true\n${fields}`, service)).toThrow(inFile);
  const chosen = expect.objectContaining({ ...refusal, message });
  expect(() => resolve(fields, service, { set: { keepRequests: true } })).toThrow(chosen);
  expect(() => resolve(fields, service)).not.toThrow();
});

it('requests of the gateway are kept', () => {
  expect(resolve('keepRequests: true\n', '{ name: a }').experiment.keepRequests).toBe(true);
});

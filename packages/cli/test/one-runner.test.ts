import { expect, it } from 'vitest';
import { requireOneRunner } from '../src/one-runner.ts';

const file = (factors: string) => ({ file: 'e.yaml', text: `kind: Experiment\n${factors}\n` });

it.each(['factors: { runner: [local, docker] }', 'factors: { rate: [1, 2], runner: [local, docker] }'])(
  '--runner is refused where the runner is a factor: %s',
  (factors) => {
    expect(() => requireOneRunner('local', file(factors))).toThrowError(
      expect.objectContaining({
        code: 'TB_USAGE',
        message: '--runner local: the runner is a factor of e.yaml, with the levels local, docker',
        hint: 'choose among its levels: --only runner=local',
      }),
    );
    expect(() => requireOneRunner(undefined, file(factors))).not.toThrow();
  },
);

it.each(['factors: { rate: [1, 2] }', 'factors:', 'runner: local', 'factors: [runner]'])(
  '--runner chooses the runner of any other file: %s',
  (fields) => expect(() => requireOneRunner('local', file(fields))).not.toThrow(),
);

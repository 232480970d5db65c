/** Adding an architecture touches its row in core, its file and the registry: no other code names one. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { architectures } from '@topo-bench/core';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
/**
 * The oracle reads topologies for itself. Published claims and the design of a calibration are about architectures by
 * name, and drawings show each in its own way.
 */
const exempt = new RegExp(
  '^packages/(core/src/architectures\\.ts|topology/src/architectures/|oracle/|workshop/|report/src/browser/diagram/|' +
    'routing/src/report/(published-findings|crash-losses)\\.ts|workbench/src/calibration/calibration-design\\.ts)',
);

it('an architecture is named in its row, its file and the registry alone', () => {
  const named = architectures.filter((name) => name !== 'none').join('|');
  // `none` is a word of other enumerations too.
  const literal = new RegExp(`['"\`](${named})(-\\d+|-)?['"\`]|rchitecture\\W{1,8}['"\`]none['"\`]`);
  const files = ['packages', 'loadgen'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
      .filter((file) => /^(packages\/[^/]+|loadgen)\/src\/.+\.ts$/.test(file)),
  );
  expect(files.length).toBeGreaterThan(400);
  const found = files
    .filter((file) => !exempt.test(file))
    .flatMap((file) => {
      const code = readFileSync(join(root, file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\/\/ .*/g, '');
      const [match] = literal.exec(code) ?? [];
      return match === undefined ? [] : [`${file}: ${match}`];
    });
  expect(found).toEqual([]);
});

/** Names of servers that answer MongoDB's protocol, by the build information that they give. */
import { expect, it } from 'vitest';
import { nameOf } from '../src/mongodb/identity.ts';

const wire = '(MongoDB wire protocol)';

it.each([
  ['MongoDB', { version: '8.0.4', gitVersion: 'bc35ab4305d9920d9d0491c1c9ef9b72383d31f9' }, 'MongoDB', '8.0.4'],
  ['SecantusDB', { version: '7.0.0', secantusVersion: '0.7.0b3' }, `SecantusDB ${wire}`, '0.7.0b3'],
  ['FerretDB', { version: '7.0.77', ferretdb: { version: 'v2.5.0' } }, `FerretDB ${wire}`, 'v2.5.0'],
  ['DocumentDB, which gives no name', { version: '7.0.0', bits: 64 }, `Unnamed server ${wire}`, 'as MongoDB 7.0.0'],
])('names %s', (_, about, name, version) => {
  expect(nameOf(about)).toEqual({ name, version });
});

/** The lines after a test run that name what the machine lacks. */
import { expect, it } from 'vitest';
import { skippedByPart } from './reporters/skipped-parts.ts';

it('a part is named once, with the number of its tests and what adds it', () => {
  const lines = skippedByPart([
    'no server of mysql is on this machine',
    'a server of redis > starts',
    'a server of mysql > starts',
    'needs a moon',
  ]);
  expect(lines.slice(1, -1)).toEqual([
    '     2  MariaDB (to add it: apt-get install mariadb-server)',
    '     1  Redis (to add it: apt-get install redis-server)',
    '     1  needs a moon',
  ]);
});

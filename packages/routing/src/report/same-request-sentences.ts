/** Sentences for architectures that completed different requests, with medians on those that all completed. */
import { formatUs } from '@topo-bench/core';
import { formatCount } from '@topo-bench/report';
import { describeLevels, type Factor } from '@topo-bench/report/model';
import type { SameRequests } from './same-requests.ts';

/** Max number of settings with a sentence; the table on the page has the figures of all settings. */
const maxSettings = 3;

export function sameRequestSentences(found: readonly SameRequests[], factors: readonly Factor[]): string[] {
  if (found.length === 0) return [];
  const varying = factors.filter(({ name, levels }) => name !== 'architecture' && levels.length > 1);
  const told = found
    .slice(0, maxSettings)
    .map((setting) => sentence(setting, describeLevels(varying, setting.factors)));
  const more = found.length - told.length;
  return [
    'Architectures completed different requests. Their round-trip times and hops cover what each completed, CPU per request covers all.',
    ...told,
    ...(more > 0
      ? [`The same holds in ${more} more ${more === 1 ? 'setting' : 'settings'}; the report page has a table.`]
      : []),
  ];
}

function sentence({ levels, common }: SameRequests, setting: string): string {
  const where = setting === '' ? '' : `${setting}: `;
  const completed = levels.map(
    ({ architecture, completed, requests }) => `${architecture} ${formatCount(completed)} of ${formatCount(requests)}`,
  );
  const medians = levels.map(({ architecture, medianUs }) => `${architecture} ${formatUs(medianUs)}`);
  const same =
    common > 0 ? ` On the ${formatCount(common)} that all completed, the medians are ${medians.join(', ')}.` : '';
  return `${where}completed ${completed.join(', ')}.${same}`;
}

/** A service with columns, under each framework and with rules: what callers get of the table, and what is counted. */
import { headers } from '@topo-bench/core';
import type { Framework } from '@topo-bench/core/schema/topology';
import { tableFromIPC } from 'apache-arrow';
import { afterEach, describe, expect, test } from 'vitest';
import { deploy, type RuleParts, type TestDeployment, type TopologyParts, testGraph } from '../fixtures/deployment.ts';

const rows = 3000;
const arrow = {
  rows,
  batchRows: 1000,
  columns: [
    { name: 'id', type: 'int64' as const },
    { name: 'region', type: 'text' as const, values: ['eu', 'us'] },
    { name: 'consents', type: 'texts' as const, values: ['analytics'] },
    { name: 'email', type: 'text' as const, category: 'personal', size: '20B' },
    { name: 'name', type: 'text' as const, category: 'personal', size: '10B' },
  ],
  facts: { origin: 'region', consents: 'consents' },
};

const rules: RuleParts = {
  rules: [
    {
      id: 'eu-stays',
      when: {
        all: [
          { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' },
          { fact: 'target', path: '$.region', operator: 'notEqual', value: 'eu' },
        ],
      },
      effect: 'deny',
    },
    {
      id: 'no-names',
      when: { fact: 'request', path: '$.consents', operator: 'doesNotContain', value: 'analytics' },
      effect: 'redact',
      redact: { remove: ['/name'], pseudonymise: ['/email'] },
    },
    {
      id: 'no-advertising',
      when: { fact: 'request', path: '$.purpose', operator: 'equal', value: 'advertising' },
      effect: 'deny',
    },
  ],
};

/** Read columns, and so would have to be decided row by row. */
const ofRows: RuleParts['rules'] = [
  {
    id: 'few',
    when: {
      any: [
        { fact: 'request', path: '$.payload.id', operator: 'lessThan', value: 3 },
        { fact: 'request', path: '$.purpose', operator: 'equal', value: 'resale' },
      ],
    },
    effect: 'deny',
  },
  {
    id: 'europeans',
    when: { fact: 'request', path: '$.origin', operator: 'equal', value: 'eu' },
    effect: 'redact',
    redact: { remove: ['/name'] },
  },
];

let deployment: TestDeployment | undefined;
/** What clients present. */
let token: Record<string, string>;
afterEach(async () => {
  await deployment?.close();
  deployment = undefined;
});

async function start(parts: Partial<TopologyParts> = {}, withRules?: RuleParts): Promise<TestDeployment> {
  const nodes = [
    { name: 'eu-1', region: 'eu' },
    { name: 'us-1', region: 'us' },
  ];
  const services = [
    { name: 'orders', node: 'eu-1', arrow },
    { name: 'scoring', node: 'us-1', arrow },
    { name: 'plain', node: 'us-1' },
  ];
  deployment = await deploy(testGraph({ nodes, services, ...parts }, withRules));
  token = { [headers.token]: deployment.configs[0]?.secrets.clientToken ?? '' };
  return deployment;
}

async function tableOf(url: string): Promise<Record<string, unknown>[]> {
  const table = tableFromIPC(new Uint8Array(await (await fetch(url, { headers: token })).arrayBuffer()));
  return table.toArray().map((row) => ({ ...row, consents: [...(row.consents ?? [])] }));
}

describe.each(['fastify', 'express', 'node'] satisfies Framework[])('on %s', (framework) => {
  test('services with a table serve it as columns and as JSON; others do not', async () => {
    const { urls } = await start({ framework });
    const url = `${urls.orders}/arrow`;
    const columns = await tableOf(url);
    expect(columns).toHaveLength(rows);
    const json = (await (await fetch(url, { headers: { ...token, accept: 'application/json' } })).json()) as Record<
      string,
      unknown
    >[];
    expect(json).toHaveLength(rows);
    expect(json[7]).toMatchObject({ id: 7, email: columns[7]!.email });
    expect((await fetch(`${urls.plain}/arrow`)).status).toBe(404);
    expect((await fetch(url, { headers: { ...token, accept: 'text/html' } })).status).toBe(406);
  });

  test('rules apply to columns as to JSON, and decisions are counted', async () => {
    const { urls, stats } = await start({ framework, enforcement: { architecture: 'sidecar' } }, rules);
    const eu = await tableOf(`${urls.orders}/arrow`);
    const us = await tableOf(`${urls.scoring}/arrow`);
    expect(eu).toHaveLength(rows);
    expect(us.length).toBeGreaterThan(rows / 3);
    expect(us.every(({ region }) => region === 'us')).toBe(true);
    for (const { name, email, consents } of [...eu, ...us]) {
      const hasConsent = (consents as string[]).includes('analytics');
      expect(name === null).toBe(!hasConsent);
      expect(/^[0-9a-f]{64}$/.test(email as string)).toBe(!hasConsent);
    }
    const { decisions, columns } = await stats('scoring');
    const redacted = us.filter(({ name }) => name === null).length;
    expect(decisions).toEqual({ deny: rows - us.length, redact: redacted, allow: us.length - redacted, reroute: 0 });
    expect(columns).toMatchObject({
      rows,
      byRule: { 'eu-stays': decisions.deny, 'no-names': redacted },
      exposureBytes: { personal: (rows - us.length + redacted) * 30 },
    });
  });
});

test('a purpose that the rules refuse for every row is 403', async () => {
  const { urls } = await start({ enforcement: { architecture: 'central-entity' } }, { rules: rules.rules.slice(2) });
  const denied = await fetch(`${urls.orders}/arrow?purpose=advertising`, { headers: token });
  expect(denied.status).toBe(403);
  expect(await denied.json()).toMatchObject({ error: 'denied', message: expect.stringContaining('no-advertising') });
  expect((await tableOf(`${urls.orders}/arrow`)).length).toBe(rows);
});

test('a purpose that is refused for every row is 403 next to rules that read columns, too', async () => {
  const enforcement = { architecture: 'central-entity' as const };
  const { urls } = await start({ enforcement }, { rules: [...ofRows, ...rules.rules.slice(2)] });
  for (const [purpose, rule] of [
    ['advertising', 'no-advertising'],
    ['resale', 'few'],
  ]) {
    const denied = await fetch(`${urls.orders}/arrow?purpose=${purpose}`, { headers: token });
    expect(denied.status).toBe(403);
    expect(await denied.json()).toMatchObject({ error: 'denied', message: expect.stringContaining(`"${rule}"`) });
  }
  expect((await tableOf(`${urls.orders}/arrow?purpose=contract`)).length).toBeGreaterThan(rows - 5);
});

test('columns require the client token, unless the service is open', async () => {
  const services = [
    { name: 'orders', node: 'eu-1', arrow },
    { name: 'published', node: 'eu-1', arrow: { ...arrow, open: true } },
  ];
  const { urls, configs } = await start({ services, enforcement: { architecture: 'sidecar' } }, rules);
  const own = configs.find(({ name }) => name === 'orders')?.secrets.token as string;
  for (const value of [undefined, '', 'guess', own, configs[0]?.secrets.controlToken as string]) {
    const answer = await fetch(`${urls.orders}/arrow`, {
      headers: value === undefined ? {} : { [headers.token]: value },
    });
    expect([value, answer.status, (await answer.text()).includes('eu-')]).toEqual([value, 401, false]);
  }
  expect((await fetch(`${urls.orders}/arrow`, { headers: token })).status).toBe(200);
  expect((await fetch(`${urls.published}/arrow`)).status).toBe(200);
});

import { checkExperiment, resolveExperiment } from '@topo-bench/experiment';
import { studies } from '@topo-bench/studies';
import { describe, expect, it } from 'vitest';
import { accessResult, flightAccess } from '../src/access.ts';
import type { TransferTrial } from '../src/parts.ts';

const topology = `apiVersion: topo-bench/v1
kind: Topology
name: t
services: [{ name: table, arrow: { flight: {}, rows: 7 } }]
enforcement: { architecture: sidecar }
`;
const rules = (name: string, effect: string): string =>
  `apiVersion: topo-bench/v1\nkind: Rules\nname: ${name}\nrules:\n  - { id: ${name}, effect: ${effect}, when: { fact: request, path: $.class, operator: equal, value: row } }\n`;

function inputs(lines: string, topologyText = topology) {
  return {
    experiment: {
      file: 'e.yaml',
      text: `apiVersion: topo-bench/v1\nkind: Experiment\nname: e\ntopology: t.yaml\n${lines}`,
    },
    topology: { file: 't.yaml', text: topologyText },
    otherRules: {
      'strict.yaml': { file: 'strict.yaml', text: rules('strict', 'deny') },
      'mild.yaml': { file: 'mild.yaml', text: rules('mild', 'allow') },
    },
    choices: {},
  };
}

const problemsOf = (lines: string, text?: string) =>
  checkExperiment(inputs(lines, text), studies).problems.map(({ code, message }) => `${code}: ${message}`);

describe('an experiment that moves tables', () => {
  it('gives the service as many rows as its streams read together over Flight, and those of one over HTTP', () => {
    const { cells } = resolveExperiment(
      inputs(
        'factors: { protocol: [flight, json], streams: [3] }\nload: { driver: flight }\nflight: { rows: 500, batchRows: 50 }\n',
      ),
      studies,
    );
    expect(cells.map(({ levels }) => levels)).toEqual([
      { protocol: 'flight', operation: 'get', streams: 3, rows: 500, batchRows: 50 },
      { protocol: 'json', operation: 'get', streams: 3, rows: 500, batchRows: 50 },
    ]);
    expect(cells.map(({ graph }) => graph.services[0]?.arrow)).toMatchObject([
      { rows: 1500, batchRows: 50 },
      { rows: 500, batchRows: 50 },
    ]);
  });

  it('varies the rule files by their paths', () => {
    const { cells } = resolveExperiment(
      inputs('factors: { rules: [strict.yaml, mild.yaml] }\nload: { driver: flight }\nflight: {}\n'),
      studies,
    );
    expect(cells.map(({ levels, graph }) => [levels.rules, graph.rules.rules.map(({ id }) => id)])).toEqual([
      ['strict.yaml', ['strict']],
      ['mild.yaml', ['mild']],
    ]);
  });

  it('is rejected with a hint if its settings are inconsistent', () => {
    expect(problemsOf('flight: {}\n')).toEqual([
      'TB_EXPERIMENT_TRANSFER: `flight` is moved by the driver `flight`, not by `open`',
    ]);
    expect(problemsOf('load: { driver: flight }\n')).toEqual([
      'TB_EXPERIMENT_TRANSFER: the driver `flight` needs to know what to move',
    ]);
    expect(
      problemsOf(
        'load: { driver: flight }\nflight: {}\nfactors: { protocol: [flight, json], operation: [get, put] }\n',
      ),
    ).toEqual(['TB_EXPERIMENT_TRANSFER: rows go to a service over Flight alone, not over `json`']);
  });

  it('is refused where the server of pyarrow lacks a requested feature, with the field', () => {
    const lines = (more: string) => `load: { driver: flight }\nflight: { server: pyarrow }\n${more}`;
    const open = topology.replace('architecture: sidecar', 'architecture: none');
    const pyarrow = (finding: string) => [`TB_EXPERIMENT_TRANSFER: \`flight.server: pyarrow\` ${finding}`];
    expect(problemsOf(lines(''), open)).toEqual([]);
    expect(problemsOf(lines(''))).toEqual([]);
    expect(problemsOf(lines('factors: { rules: [strict.yaml] }\n'))).toEqual(
      pyarrow('enforces no rules, and the topology has some'),
    );
    expect(problemsOf(lines('factors: { rules: [strict.yaml] }\n'), open)).toEqual([]);
    expect(problemsOf(lines('factors: { protocol: [json] }\n'), open)).toEqual(
      pyarrow('serves no HTTP: got protocol `json`, expected `flight`'),
    );
    const tls = open.replace('flight: {}', 'flight: { tls: { certificate: c.pem, key: k.pem } }');
    expect(problemsOf(lines(''), tls)).toEqual(
      pyarrow('has no TLS here, and `arrow.flight.tls` of the topology is on'),
    );
    expect(problemsOf(lines('factors: { tls: [false] }\n'), tls)).toEqual([]);
    const { problems } = checkExperiment(inputs(lines('factors: { protocol: [json] }\n'), open), studies);
    expect(problems).toMatchObject([{ line: 6 }]);
  });

  it('names its cells by the server where that is a factor, under either name', () => {
    const cellsOf = (factor: string) =>
      resolveExperiment(
        inputs(`load: { driver: flight }\nflight: {}\nfactors: { ${factor}: [topo-bench, pyarrow] }\n`),
        studies,
      ).cells.map(({ levels, settings }: TransferTrial) => [levels[factor], settings.flight?.server]);
    const both = [
      ['topo-bench', 'topo-bench'],
      ['pyarrow', 'pyarrow'],
    ];
    expect(cellsOf('server')).toEqual(both);
    expect(cellsOf('flight.server')).toEqual(both);
  });

  it('needs the one service that serves a table over Flight', () => {
    const lines = 'load: { driver: flight }\nflight: {}\n';
    const two = topology.replace('services: [', 'services: [{ name: other, arrow: { flight: {} } }, ');
    expect(problemsOf(lines, topology.replace('flight: {}, ', ''))).toEqual([
      expect.stringMatching(/NO_FLIGHT: .* has none$/),
    ]);
    expect(problemsOf(lines, two)).toEqual([expect.stringMatching(/NO_FLIGHT: .* has other, table$/)]);
  });

  it('has the access of the topology, with additions of its client', () => {
    const guarded = topology.replace(
      'flight: {}',
      'flight: { login: { user: ann, password: env A }, tls: { certificate: c.pem, key: k.pem, clientCa: ca.pem } }',
    );
    const accessOf = (client: string, factors = '{}') =>
      resolveExperiment(
        inputs(`load: { driver: flight }\nflight: { client: { ${client} } }\nfactors: ${factors}\n`, guarded),
        studies,
      ).cells.map(({ settings, graph }: TransferTrial) => {
        const [transfer, flight] = [settings.flight, graph.services[0]?.arrow?.flight];
        return transfer && flight && [flightAccess(transfer, flight), accessResult(transfer, flight)];
      });
    const shown = 'certificate: mine.pem, key: mine.key';
    const files = { certificate: 'mine.pem', key: 'mine.key', serverName: undefined };
    const ann = { user: 'ann', password: 'A' };
    expect(accessOf(shown)).toEqual([
      [
        { login: ann, tls: { ca: 'c.pem', ...files } },
        { login: true, tls: 'mutual' },
      ],
    ]);
    const other = `${shown}, ca: root.pem, serverName: db, login: { user: bob, password: env B }`;
    expect(accessOf(other)[0]?.[0]).toEqual({
      login: { user: 'bob', password: 'B' },
      tls: { ...files, ca: 'root.pem', serverName: 'db' },
    });
    expect(accessOf(shown, '{ tls: [false, true], protocol: [flight, arrow] }').map((access) => access?.[1])).toEqual([
      { login: true, tls: 'none' },
      { login: false, tls: 'none' },
      { login: true, tls: 'mutual' },
      { login: false, tls: 'none' },
    ]);
  });

  it('is rejected if its client does not match the service, and warned if a protocol skips the login', () => {
    const lines = (client: string, more = '') => `load: { driver: flight }\nflight: { client: { ${client} }${more} }\n`;
    const withTls = topology.replace(
      'flight: {}',
      'flight: { tls: { certificate: c.pem, key: k.pem, clientCa: ca.pem } }',
    );
    expect(problemsOf(lines('login: { user: ann, password: env A }'))).toEqual([
      'TB_EXPERIMENT_TRANSFER: `client.login` logs in, and the service "table" has no login',
    ]);
    expect(problemsOf(lines('ca: ca.pem'))).toEqual([
      'TB_EXPERIMENT_TRANSFER: `client.ca` is for TLS, and the service "table" has none',
    ]);
    expect(problemsOf(lines('ca: ca.pem'), withTls)).toEqual([
      expect.stringMatching(
        /TRANSFER: the service "table" serves only clients with a certificate of ca\.pem, and the load has none$/,
      ),
    ]);
    expect(problemsOf(lines('certificate: c.pem'), withTls)).toEqual([
      expect.stringContaining('`certificate` and `key`, or neither'),
    ]);
    const { problems, resolved } = checkExperiment(inputs(lines('', ', protocol: json'), withTls), studies);
    expect(problems).toMatchObject([
      { severity: 'warning', message: expect.stringMatching(/is read from `GET \/arrow`, without its `tls`$/) },
    ]);
    expect(resolved?.cells).toHaveLength(1);
  });
});

/** The entry of `cells.json` for a read of a table, with its verdict: all rows arrived, with the right values. */
import type { Sample } from '@topo-bench/core';
import { cellOfSamples } from '@topo-bench/results';
import { wholeSample } from '@topo-bench/study-kit/whole-sample';
import type { AccessFigures, AccessMeasurement } from './measurement.ts';
import type { AccessEntry } from './parts.ts';
import type { Access } from './settings-schema.ts';

export function assembleAccessCell(measured: AccessMeasurement): AccessEntry {
  const { cell, repetition, startedAt, outcome, host, server } = measured;
  const access = accessFigures(measured);
  const { client } = outcome.roles;
  const percentOf = (cpuUs: number): number => (100 * cpuUs) / outcome.durationUs;
  const entry = cellOfSamples({
    source: 'measured',
    factors: cell.levels,
    repetition,
    load: { startedAt, durationUs: outcome.durationUs, sent: 1, generators: [] },
    samples: [accessSample(outcome.durationUs, cell.settings.access)],
    withoutRtt: true,
    check: { wrong: 0, examples: [] },
    figures: { decisions: { allow: 0, deny: 0, redact: 0, reroute: 0, wrong: access.wrong, byRule: {} } },
    resources: {
      ...(client?.cpuUs !== undefined && {
        client: { processes: 1, cpuPercent: percentOf(client.cpuUs), rssBytes: client.peakRssBytes ?? 0 },
      }),
      ...(server && { store: { cpuPercent: server.cpuPercent, rssBytes: server.peakRssBytes } }),
    },
    host,
    maxErrorShare: cell.settings.validity.maxErrorShare,
    findings: { reasons: [...wrongRows(access)] },
  });
  return { ...entry, access };
}

/** The read as one request. */
export function accessSample(durationUs: number, access: Pick<Access, 'query'> | undefined): Sample {
  return wholeSample('read', access?.query ?? 'all', durationUs);
}

function accessFigures({ cell, outcome, table, idleRssBytes, server }: AccessMeasurement): AccessFigures {
  const { variant, source, ...settings } = cell.settings.access as Access;
  const { query, batchRows, connections, cachedDiscovery, compression, warm } = settings;
  const { rows, durationUs, checksum, parts, wireBytes, roles, conversionUs } = outcome;
  const bytes = Math.round(rows * table.bytesPerRow);
  const wrong = [...differences({ rows, checksum, expected: table.expected })].length;
  return {
    variant,
    source,
    table: table.name,
    ...(table.store !== undefined && { store: table.store }),
    ...(table.address !== undefined && { address: table.address }),
    rows,
    bytes,
    durationUs,
    rowsPerSecond: (rows * 1e6) / durationUs,
    // A byte per µs is a megabyte per second.
    megabytesPerSecond: bytes / durationUs,
    parts,
    checksum,
    expected: table.expected,
    wrong,
    wireBytes,
    ...(conversionUs !== undefined && { conversionUs }),
    roles: { ...roles, ...(server && { store: { cpuUs: server.cpuUs, peakRssBytes: server.peakRssBytes } }) },
    idleRssBytes,
    options: { query, batchRows, connections, cachedDiscovery, compression, warm },
  };
}

function* wrongRows(access: AccessFigures): Generator<string> {
  for (const difference of differences(access)) yield `${difference}, as ${access.expected.origin}`;
}

type Compared = Pick<AccessFigures, 'rows' | 'checksum' | 'expected'>;

function* differences({ rows, checksum, expected }: Compared): Generator<string> {
  if (rows !== expected.rows) yield `wrong: got ${rows} rows, expected ${expected.rows}`;
  else if (checksum !== expected.checksum) {
    yield `wrong: the values have checksum ${checksum}, expected ${expected.checksum}`;
  }
}

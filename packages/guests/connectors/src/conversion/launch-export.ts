/** Variant E over Flight: a program reads columns from the store on, and serves them. */
import { randomBytes } from 'node:crypto';
import type { SourceTable } from '@topo-bench/sources';
import type { Launcher } from '../launch/launcher.ts';
import { requireWhole } from '../launch/require-whole.ts';
import { type Compression, type ExporterSettings, exportedStream, flightUser } from './converter-settings.ts';
import { type LaunchedStream, listenAt, overOf, readyOf, urlOf } from './launched-stream.ts';

export interface ExportLaunch {
  /** As the program reaches it. */
  table: SourceTable;
  /** Rows of a record batch. */
  batchRows: number;
  /** Connections to the store that share the read. */
  connections: number;
  /** Rows that are read; absent: all. */
  limitRows?: number;
  compression: Compression;
  signal?: AbortSignal;
}

/**
 * The store is open and the port as well when it resolves; the read starts with the request of the client.
 * @throws TopoBenchError as `Launcher.launch`, and `TB_CONNECTOR_FAILED` when the exporter does not start
 */
export async function launchExport(launcher: Launcher, launch: ExportLaunch): Promise<LaunchedStream> {
  const { table, batchRows, connections, limitRows, compression, signal } = launch;
  const flightToken = randomBytes(32).toString('base64url');
  const { host, flightPort } = listenAt(launcher);
  const settings: ExporterSettings = {
    ...{ host, flightPort, flightToken, compression, batchRows, table, connections },
    ...(limitRows !== undefined && { limitRows }),
  };
  const exporter = await launcher.launch({
    program: 'exporter',
    args: (pathOf) => ['--config', pathOf('config.json')],
    files: { 'config.json': JSON.stringify(settings) },
    ...(signal && { signal }),
  });
  try {
    const { ready, drained } = await readyOf(exporter, 'the exporter');
    const programs = { 'flight-server': exporter };
    return {
      programs,
      flightUrl: urlOf(exporter, ready),
      user: flightUser,
      password: flightToken,
      stream: exportedStream,
      begin: () => undefined,
      over: () => overOf(programs),
      async whole() {
        await drained;
        const end = await exporter.ended;
        requireWhole('the exporter', end);
        return { 'flight-server': end };
      },
      stop: () => exporter.stop(),
    };
  } catch (error) {
    await exporter.stop();
    throw error;
  }
}

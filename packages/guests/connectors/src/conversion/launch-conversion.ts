/**
 * Variant D of the study: a connector and a Flight server that converts its rows, each a program of its own. The client
 * reads record batches over Flight.
 */
import { randomBytes } from 'node:crypto';
import type { Launcher } from '../launch/launcher.ts';
import { requireWhole } from '../launch/require-whole.ts';
import type { ConfiguredCatalog } from '../protocol/messages.ts';
import type { StoreName } from '../stores/store-connector.ts';
import { type Compression, type ConverterSettings, type DeliveryAddress, flightUser } from './converter-settings.ts';
import { drain, type LaunchedStream, listenAt, overOf, readyOf, urlOf } from './launched-stream.ts';

export interface ConversionLaunch {
  store: StoreName;
  /** Configuration of the connector, with addresses as the programs need them. */
  config: object;
  /** With one stream. */
  catalog: ConfiguredCatalog;
  /** Rows of a record batch. */
  batchRows: number;
  compression: Compression;
  /** Rows that the connector reads; absent: all. */
  limitRows?: number;
  /** The connector waits for `begin`. */
  held?: boolean;
  signal?: AbortSignal;
}

/** @throws TopoBenchError as `Launcher.launch`, and `TB_CONNECTOR_FAILED` when the converter does not start */
export async function launchConversion(launcher: Launcher, launch: ConversionLaunch): Promise<LaunchedStream> {
  const { store, config, catalog, batchRows, compression, limitRows, held = false, signal } = launch;
  const [flightToken, inputToken] = [0, 1].map(() => randomBytes(32).toString('base64url')) as [string, string];
  const settings: ConverterSettings = { ...listenAt(launcher), flightToken, inputToken, compression, batchRows };
  const documents = { 'catalog.json': JSON.stringify(catalog) };
  const converter = await launcher.launch({
    program: 'converter',
    args: (pathOf) => ['--config', pathOf('config.json'), '--catalog', pathOf('catalog.json')],
    files: { ...documents, 'config.json': JSON.stringify(settings) },
    ...(signal && { signal }),
  });
  try {
    const { ready, drained } = await readyOf(converter, 'the converter');
    const delivery: DeliveryAddress = {
      host: converter.hosts.fromPrograms,
      port: ready.inputPort ?? 0,
      token: inputToken,
    };
    const connector = await launcher.launch({
      program: 'connector',
      args: (pathOf) => [
        ...[store, 'read', '--config', pathOf('config.json'), '--catalog', pathOf('catalog.json')],
        ...['--deliver-to', pathOf('delivery.json')],
        ...(limitRows === undefined ? [] : ['--limit-rows', String(limitRows)]),
      ],
      files: { ...documents, 'config.json': JSON.stringify(config), 'delivery.json': JSON.stringify(delivery) },
      held,
      ...(signal && { signal }),
    });
    const read = drain(connector);
    const programs = { connector, 'flight-server': converter };
    return {
      programs,
      flightUrl: urlOf(converter, ready),
      user: flightUser,
      password: flightToken,
      stream: catalog.streams[0]?.stream.name ?? '',
      begin: () => connector.begin(),
      over: () => overOf(programs),
      async whole() {
        await Promise.all([read, drained]);
        const [first, second] = await Promise.all([connector.ended, converter.ended]);
        requireWhole('the connector', first);
        requireWhole('the converter', second);
        return { connector: first, 'flight-server': second };
      },
      stop: async () => {
        await Promise.all([connector.stop(), converter.stop()]);
      },
    };
  } catch (error) {
    await converter.stop();
    throw error;
  }
}

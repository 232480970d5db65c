/** The commands of a connector over its port. */
import { openSource } from '@topo-bench/sources';
import type { StoreConnector } from '../stores/store-connector.ts';
import { storeConnectors } from '../stores/stores.ts';
import { type CommandLine, readCatalog, readDocument, readStates } from './command-line.ts';
import { discoverStreams } from './discover-streams.ts';
import { messageOf } from './failure.ts';
import type { ProgramOutput } from './program-output.ts';
import { type ReadFigures, readStreams } from './read-streams.ts';

const protocolVersion = '0.2.0';
const documentationUrl = 'https://docs.airbyte.com/understanding-airbyte/airbyte-protocol';

/**
 * @returns what the report of the program has of a read
 * @throws TopoBenchError of the store, or `TB_USAGE`
 */
export async function runCommand(line: CommandLine, output: ProgramOutput): Promise<ReadFigures> {
  if (line.command === 'read') return read(line, output);
  await runOther(line, output);
  return {};
}

async function read(line: CommandLine, output: ProgramOutput): Promise<ReadFigures> {
  const store = await storeConnectors[line.store]();
  const config = store.parseConfig(await readDocument<unknown>(line.config as string, '--config'));
  const catalog = await readCatalog(line.catalog as string);
  const { limitRows } = line;
  const options = { states: await readStates(line.state), ...(limitRows !== undefined && { limitRows }) };
  return readStreams(store, config, catalog, options, output);
}

async function runOther(line: CommandLine, output: ProgramOutput): Promise<void> {
  const store = await storeConnectors[line.store]();
  if (line.command === 'spec') return spec(store, output);
  const document = await readDocument<unknown>(line.config as string, '--config');
  if (line.command === 'check') return check(store, document, output);
  const config = store.parseConfig(document);
  const warn = (message: string): void => output.message({ type: 'LOG', log: { level: 'WARN', message } });
  output.message({ type: 'CATALOG', catalog: { streams: await discoverStreams(store, config, warn) } });
}

function spec({ configuration }: StoreConnector<unknown>, output: ProgramOutput): void {
  output.message({
    type: 'SPEC',
    spec: {
      protocol_version: protocolVersion,
      documentationUrl,
      supportsIncremental: true,
      supported_destination_sync_modes: [],
      connectionSpecification: configuration,
    },
  });
}

/** A refusal is a result of the check, and no error of the program. */
async function check(store: StoreConnector<unknown>, document: unknown, output: ProgramOutput): Promise<void> {
  try {
    const config = store.parseConfig(document);
    const [table] = await store.tables(config);
    if (table) await (await openSource(store.tableOf(config, table))).close();
    output.message({ type: 'CONNECTION_STATUS', connectionStatus: { status: 'SUCCEEDED' } });
  } catch (error) {
    output.message({ type: 'CONNECTION_STATUS', connectionStatus: { status: 'FAILED', message: messageOf(error) } });
  }
}

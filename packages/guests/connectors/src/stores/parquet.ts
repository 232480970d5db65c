/** Parquet: each file is a stream, named for the file without its ending. */
import { basename } from 'node:path';
import { TopoBenchError } from '@topo-bench/core';
import type { StreamDescriptor } from '../protocol/messages.ts';
import { requiredTexts } from './config-fields.ts';
import type { StoreConnector } from './store-connector.ts';

interface ParquetConfig {
  files: readonly string[];
}

export const parquet: StoreConnector<ParquetConfig> = {
  title: 'Parquet',
  configuration: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Source Parquet',
    type: 'object',
    required: ['files'],
    additionalProperties: false,
    properties: {
      files: { type: 'array', items: { type: 'string' }, minItems: 1, title: 'Paths of the files', order: 0 },
    },
  },
  parseConfig: (document) => ({ files: requiredTexts(document, 'files') }),
  tables: async ({ files }) => files.map((file) => ({ name: streamName(file) })),
  tableOf({ files }, { name }: StreamDescriptor) {
    const file = files.find((path) => streamName(path) === name);
    if (file !== undefined) return { kind: 'parquet', file };
    throw new TopoBenchError('TB_SOURCE_NOT_FOUND', `no file of the configuration is named ${name}.parquet`, {
      hint: 'add it to `files`, or discover the streams again',
    });
  },
};

function streamName(file: string): string {
  return basename(file).replace(/\.parquet$/i, '');
}

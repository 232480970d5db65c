/** MongoDB: the collections of one database are streams. */
import type { StreamDescriptor } from '../protocol/messages.ts';
import { requiredText, requiredTexts } from './config-fields.ts';
import type { StoreConnector } from './store-connector.ts';

interface MongoConfig {
  url: string;
  database: string;
  collections: readonly string[];
}

export const mongodb: StoreConnector<MongoConfig> = {
  title: 'MongoDB',
  configuration: {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Source MongoDB',
    type: 'object',
    required: ['url', 'database', 'collections'],
    additionalProperties: false,
    properties: {
      url: {
        type: 'string',
        title: 'Connection string',
        description: 'mongodb://user:password@host:port',
        airbyte_secret: true,
        order: 0,
      },
      database: { type: 'string', title: 'Database', order: 1 },
      collections: { type: 'array', items: { type: 'string' }, minItems: 1, title: 'Collections', order: 2 },
    },
  },
  parseConfig: (document) => ({
    url: requiredText(document, 'url'),
    database: requiredText(document, 'database'),
    collections: requiredTexts(document, 'collections'),
  }),
  tables: async ({ database, collections }) => collections.map((name) => ({ name, namespace: database })),
  tableOf: ({ url, database }, { name }: StreamDescriptor) => ({ kind: 'mongodb', url, database, collection: name }),
};

/** What a read of a collection needs. */
import type { Schema } from 'apache-arrow';
import type { MongoClient } from 'mongodb';
import type { MongoTable } from '../source-table.ts';

export interface MongoRead {
  client: MongoClient;
  table: MongoTable;
  schema: Schema;
  /** Documents may have fields that the sample of the schema lacks. */
  isInferred: boolean;
  signal: AbortSignal | undefined;
}

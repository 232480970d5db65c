/** What a read of a collection needs. */
import type { Schema } from 'apache-arrow';
import type { MongoClient } from 'mongodb';
import type { MongoTable } from '../source-table.ts';

/**
 * Documents of one answer of the server. An answer of 16 MB has 28,000 documents of `store_sales`, whose garbage
 * outlives young collections: rows then need 900 MB above idle, with 1,000 documents 140 MB at the same speed.
 */
const maxFetched = 1000;

/** @param batchRows rows of a batch @returns documents to ask for at once */
export function fetchedDocuments(batchRows: number): number {
  return Math.min(batchRows, maxFetched);
}

export interface MongoRead {
  client: MongoClient;
  table: MongoTable;
  schema: Schema;
  /** Documents may have fields that the sample of the schema lacks. */
  isInferred: boolean;
  signal: AbortSignal | undefined;
}

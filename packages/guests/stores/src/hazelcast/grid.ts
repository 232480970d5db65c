/** A session on a Hazelcast cluster. It ends with its last member: a restarted member has none of the earlier rows. */
import { TopoBenchError } from '@topo-bench/core';
import { Client } from 'hazelcast-client';
import { StoreUnavailable } from '../store-error.ts';
import { addressOfGrid } from './grid-address.ts';

export type Grid = Client;

const silent = { log() {}, error() {}, warn() {}, info() {}, debug() {}, trace() {} };

/**
 * @param url `hazelcast://host:port/cluster`; default: port 5701 and cluster `dev`
 * @throws TopoBenchError `TB_STORE_URL`, StoreUnavailable when no member answers
 */
export async function connectGrid(url: string, timeoutMs: number): Promise<Grid> {
  const { host, cluster } = addressOfGrid(url);
  try {
    return await Client.newHazelcastClient({
      clusterName: cluster,
      network: { clusterMembers: [host], connectionTimeout: timeoutMs },
      connectionStrategy: {
        reconnectMode: 'off' as never,
        connectionRetry: { clusterConnectTimeoutMillis: timeoutMs, initialBackoffMillis: 100, maxBackoffMillis: 500 },
      },
      properties: { 'hazelcast.client.invocation.timeout.millis': timeoutMs },
      customLogger: silent,
    });
  } catch (error) {
    throw gridError(error);
  }
}

export function gridError(error: unknown): Error {
  const { message } = error as Error;
  return error instanceof TopoBenchError ? error : new StoreUnavailable(`the Hazelcast grid: ${message}`, error);
}

/**
 * The samples file: every request of a repetition as Parquet, for pandas, R, DuckDB and Arrow. Steps, deliveries and
 * exposure are lists of structs instead of JSON text: SQL can unnest them.
 */
import {
  type Delivered,
  type DeliveredDigests,
  type Sample,
  type SampleOutcome,
  TopoBenchError,
} from '@topo-bench/core';
import type { Effect } from '@topo-bench/core/schema/rules';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { ByteWriter, parquetWrite } from 'hyparquet-writer';
import { folderError } from './folder-error.ts';
import { samplesSchema } from './samples-schema.ts';

/** A row of the Parquet file: no maps, no absent fields. */
interface Row extends Omit<Sample, 'origin' | 'steps' | 'exposureBytes' | 'delivered'> {
  origin?: string | null;
  steps: {
    service: string;
    effect: string;
    rule: string | null;
    version?: number | null;
    undecided?: number | null;
    takenOver?: number | null;
  }[];
  exposureBytes: { category: string; bytes: number }[];
  /** `copy` refers to rows of `copies` with the same number. Files of older versions lack both fields. */
  delivered?: { service: string; copy: number }[];
  copies?: { copy: number; field: string; digest: string }[];
}

/** Columns with one value for each request. */
export const requestColumns = [
  'id',
  'class',
  'origin',
  'intendedUs',
  'sentUs',
  'doneUs',
  'rttUs',
  'clientLinkUs',
  'status',
  'outcome',
  'rule',
  'error',
  'hops',
  'hopsBetweenNodes',
] as const satisfies (keyof Row)[];

const columns = [
  ...requestColumns,
  ...(['exposureBytes', 'steps', 'delivered', 'copies'] as const),
] as const satisfies (keyof Row)[];

/** The bytes of a samples file (Snappy). Rows keep their order. */
export function encodeSamples(samples: readonly Sample[]): Uint8Array {
  const rows = samples.map(toRow);
  const writer = new ByteWriter();
  parquetWrite({
    writer,
    schema: samplesSchema,
    createdBy: 'topo-bench',
    columnData: columns.map((name) => ({ name, data: rows.map((row) => row[name]) })),
  });
  return writer.getBytes();
}

/**
 * Reads all requests of a samples file, in the order written.
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED`, `TB_RUN_FOLDER_NOT_FOUND`
 */
export async function readSamples(path: string): Promise<Sample[]> {
  return (await readRows<Row>(path)).map(fromRow);
}

/** Outcome and round-trip time of a request. */
export type SampleOutcomes = Pick<Sample, 'id' | 'outcome' | 'rttUs'>;

/** @throws TopoBenchError as `readSampleTimes` */
export async function readSampleOutcomes(path: string): Promise<SampleOutcomes[]> {
  return readRows<SampleOutcomes>(path, ['id', 'outcome', 'rttUs']);
}

/** The times of a request, for box plots and figures over time. */
export type SampleTimes = Pick<Sample, 'intendedUs' | 'sentUs' | 'doneUs' | 'rttUs' | 'outcome' | 'clientLinkUs'>;

/**
 * Reads the times of all requests, without the cost of decoding steps.
 * @throws TopoBenchError `TB_RUN_FOLDER_DAMAGED`, `TB_RUN_FOLDER_NOT_FOUND`
 */
export async function readSampleTimes(path: string): Promise<SampleTimes[]> {
  return readRows<SampleTimes>(path, ['intendedUs', 'sentUs', 'doneUs', 'rttUs', 'outcome', 'clientLinkUs']);
}

async function readRows<T>(path: string, wanted?: (keyof T & string)[]): Promise<T[]> {
  const file = await asyncBufferFromFile(path).catch((error: unknown) => {
    throw folderError('read', path, error);
  });
  try {
    const metadata = await parquetMetadataAsync(file);
    // Files of older versions lack columns.
    const present = new Set(metadata.schema.map(({ name }) => name));
    const columns = wanted?.filter((name) => present.has(name));
    return (await parquetReadObjects({ file, metadata, ...(columns && { columns }) })) as T[];
  } catch (cause) {
    throw new TopoBenchError(
      'TB_RUN_FOLDER_DAMAGED',
      `${path} is not a readable Parquet file: ${(cause as Error).message}`,
      {
        hint: 'the figures of cells.json do not need it; only box plots and your own analyses do',
        cause,
      },
    );
  }
}

function toRow(sample: Sample): Row {
  return {
    ...sample,
    origin: sample.origin ?? null,
    clientLinkUs: sample.clientLinkUs ?? null,
    steps: sample.steps.map(({ service, effect, rule, version, undecided, takenOver }) => ({
      ...{ service, effect },
      rule: rule ?? null,
      version: version ?? null,
      undecided: undecided ? 1 : null,
      takenOver: takenOver ? 1 : null,
    })),
    exposureBytes: Object.entries(sample.exposureBytes).map(([category, bytes]) => ({ category, bytes })),
    delivered: sample.delivered?.services ?? [],
    copies: (sample.delivered?.copies ?? []).flatMap((digests, copy) =>
      Object.entries(digests).map(([field, digest]) => ({ copy, field, digest })),
    ),
  };
}

function fromRow({ delivered = [], copies = [], origin, clientLinkUs, ...row }: Row): Sample {
  return {
    ...row,
    ...(origin != null && { origin }),
    ...(clientLinkUs != null && { clientLinkUs }),
    outcome: row.outcome as SampleOutcome,
    // Files of older builds have no versions.
    steps: row.steps.map(({ service, effect, rule, version = null, undecided = null, takenOver = null }) => ({
      service,
      effect: effect as Effect,
      ...(rule === null ? {} : { rule }),
      ...(version === null ? {} : { version }),
      ...(undecided === null ? {} : { undecided: true as const }),
      ...(takenOver === null ? {} : { takenOver: true as const }),
    })),
    exposureBytes: Object.fromEntries(row.exposureBytes.map(({ category, bytes }) => [category, bytes])),
    ...(delivered.length > 0 && { delivered: deliveredFrom(delivered, copies) }),
  };
}

function deliveredFrom(services: Delivered['services'], rows: NonNullable<Row['copies']>): Delivered {
  const count = Math.max(...services.map(({ copy }) => copy)) + 1;
  const copies = Array.from({ length: count }, (): DeliveredDigests => Object.create(null));
  for (const { copy, field, digest } of rows) (copies[copy] as DeliveredDigests)[field] = digest;
  return { services, copies };
}

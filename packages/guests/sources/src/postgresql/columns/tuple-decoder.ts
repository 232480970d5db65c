/**
 * Decodes the tuples of COPY's binary format into record batches. The format is described in the documentation of
 * COPY: a header, then per tuple the number of fields and each field with its length (-1 for null), then a trailer.
 * Tuples may be split over messages of the protocol, although the server sends each in a message of its own.
 */
import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow';
import type { Chunk, ColumnDecoder } from './column-decoder.ts';
import { damagedStream } from './damaged-stream.ts';

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
/** Signature, flags, and length of the extension. */
const headerBytes = signature.length + 8;
const incomplete = -1;
const trailer = -1;

export class TupleDecoder {
  /** Tuples of all batches. */
  tuples = 0;
  private row = 0;
  private part: 'header' | 'tuples' | 'end' = 'header';
  /** The start of a tuple whose end has not arrived. */
  private rest: Buffer | undefined;

  constructor(
    private readonly schema: Schema,
    private readonly columns: readonly ColumnDecoder[],
    private readonly batchRows: number,
    private readonly onBatch: (batch: RecordBatch) => void,
  ) {}

  /** Starts another COPY, whose tuples continue the batch. */
  begin(): void {
    this.part = 'header';
    this.rest = undefined;
  }

  /**
   * Decodes the bytes from `from` to `to`. They are not kept.
   * @throws TopoBenchError `TB_SOURCE_DAMAGED`, `TB_SOURCE_VALUE`
   */
  push(chunk: Chunk, from: number, to: number): void {
    if (this.rest) {
      const bytes = Buffer.concat([this.rest, chunk.bytes.subarray(from, to)]);
      this.rest = undefined;
      this.decode({ bytes, view: viewOf(bytes) }, 0, bytes.length);
    } else this.decode(chunk, from, to);
  }

  /** Ends a COPY. @throws TopoBenchError `TB_SOURCE_DAMAGED` when its last bytes are missing */
  end(): void {
    if (this.part !== 'end' || this.rest) throw damagedStream('it ended without a trailer');
  }

  /** Passes on the last, smaller batch. */
  flush(): void {
    if (this.row === 0) return;
    const length = this.row;
    this.row = 0;
    const children = this.columns.map((column) => column.finish(length));
    const data = makeData({ type: new Struct(this.schema.fields), length, nullCount: 0, children });
    this.onBatch(new RecordBatch(this.schema, data));
  }

  private decode(chunk: Chunk, from: number, to: number): void {
    let at = from;
    if (this.part === 'header') {
      at = endOfHeader(chunk, from, to);
      if (at !== incomplete) this.part = 'tuples';
    }
    while (this.part === 'tuples' && at < to) {
      const next = this.endOfTuple(chunk.view, at, to);
      if (next === incomplete) break;
      if (this.part === 'tuples') this.decodeTuple(chunk, at);
      at = next;
    }
    if (at === to) return;
    if (this.part === 'end') throw damagedStream('bytes follow its trailer');
    this.rest = Buffer.from(chunk.bytes.subarray(at === incomplete ? from : at, to));
  }

  /** Checks all lengths of a tuple, or finds the trailer. */
  private endOfTuple(view: DataView, from: number, to: number): number {
    if (to - from < 2) return incomplete;
    const fields = view.getInt16(from);
    let at = from + 2;
    if (fields === trailer) {
      this.part = 'end';
      return at;
    }
    const { length } = this.columns;
    if (fields !== length) throw damagedStream(`got a tuple of ${fields} fields, expected ${length}`);
    for (let i = 0; i < length; i++) {
      if (at + 4 > to) return incomplete;
      const size = view.getInt32(at);
      if (size > 0) at += size;
      else if (size < -1) throw damagedStream(`got a field of ${size} bytes`);
      at += 4;
    }
    return at <= to ? at : incomplete;
  }

  private decodeTuple(chunk: Chunk, from: number): void {
    const { columns, row } = this;
    const { view } = chunk;
    let at = from + 2;
    for (let i = 0; i < columns.length; i++) {
      const column = columns[i] as ColumnDecoder;
      const size = view.getInt32(at);
      at += 4;
      if (size === -1) column.setNull(row);
      else {
        column.decode(chunk, at, size, row);
        at += size;
      }
    }
    this.tuples++;
    if (++this.row === this.batchRows) this.flush();
  }
}

/** The view through which numbers of `bytes` are read. */
export function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length);
}

function endOfHeader({ bytes, view }: Chunk, from: number, to: number): number {
  if (to - from < headerBytes) return incomplete;
  if (bytes.compare(signature, 0, signature.length, from, from + signature.length) !== 0) {
    throw damagedStream('it does not start with the signature of the format');
  }
  const flags = view.getUint32(from + signature.length);
  // Bits from 16 on change the format.
  if (flags >>> 16 !== 0) throw damagedStream(`got the flags ${flags}, which are unknown`);
  const end = from + headerBytes + view.getUint32(from + signature.length + 4);
  return end <= to ? end : incomplete;
}

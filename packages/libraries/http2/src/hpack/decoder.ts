/** Decodes the header blocks of one direction of a connection (HPACK, RFC 7541). Each block depends on those before. */
import { BlockReader } from './block-reader.ts';
import { DynamicTable, fieldBytes } from './dynamic-table.ts';
import { type HeaderField, HpackError } from './field.ts';
import { staticTable } from './static-table.ts';

export { HpackError };

/** Initial size of the dynamic table (RFC 9113, section 6.5.2). */
const initialTableBytes = 4096;

export class HpackDecoder {
  private readonly table: DynamicTable;
  private readonly maxListBytes: number;

  /**
   * @param options.tableBytes max size of the dynamic table: our SETTINGS_HEADER_TABLE_SIZE. Default: 4096
   * @param options.maxListBytes limit of a decoded list; each field counts its name, its value and 32. Default: 64 KiB
   */
  constructor({
    tableBytes = initialTableBytes,
    maxListBytes = 65_536,
  }: { tableBytes?: number; maxListBytes?: number } = {}) {
    this.table = new DynamicTable(tableBytes, Math.min(tableBytes, initialTableBytes));
    this.maxListBytes = maxListBytes;
  }

  /**
   * Decodes a whole block: the joined fragments of HEADERS and its CONTINUATION frames. A list over the limit is
   * truncated, but the block is read to its end to keep the table in sync with the peer. Fields over the limit use no
   * memory: a few bytes can encode thousands.
   * @returns the fields in order
   * @throws HpackError The decoder cannot be used after it.
   */
  decode(block: Uint8Array): { fields: HeaderField[]; isTooLong: boolean } {
    const reader = new BlockReader(block);
    while (reader.hasMore && isSizeUpdate(reader.peek())) this.resize(reader.readInteger(5));
    const fields: HeaderField[] = [];
    let listBytes = 0;
    while (reader.hasMore) {
      const field = this.readField(reader);
      listBytes += fieldBytes(field);
      if (listBytes <= this.maxListBytes) fields.push(field);
    }
    return { fields, isTooLong: listBytes > this.maxListBytes };
  }

  private resize(bytes: number): void {
    if (!this.table.resize(bytes))
      throw new HpackError(`the header table was set to ${bytes} bytes, more than is allowed`);
  }

  private readField(reader: BlockReader): HeaderField {
    const first = reader.peek();
    if (first >= 0x80) return this.at(reader.readInteger(7));
    if (isSizeUpdate(first))
      throw new HpackError('the header table was given another size after the first field of a block');
    const isAdded = first >= 0x40;
    const index = reader.readInteger(isAdded ? 6 : 4);
    const name = index === 0 ? reader.readString() : this.at(index)[0];
    const field: HeaderField = [name, reader.readString()];
    if (isAdded) this.table.add(field);
    return field;
  }

  private at(index: number): HeaderField {
    const field = index <= staticTable.length ? staticTable[index - 1] : this.table.at(index - staticTable.length - 1);
    if (!field) throw new HpackError(`no header field has index ${index}`);
    return field;
  }
}

/** 001 and five bits of the size (RFC 7541, section 6.3). */
function isSizeUpdate(first: number): boolean {
  return first >> 5 === 1;
}

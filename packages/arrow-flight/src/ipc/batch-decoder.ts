/**
 * Decodes the messages of one stream into record batches. Input is untrusted: every returned batch is complete, within
 * the received bytes, and readable to its last value; anything else throws. Values are views of the body, not copies.
 */
import { Data, type DataType, RecordBatch, type Schema, Struct, Vector } from 'apache-arrow';
import { malformed, unsupported } from '../errors.ts';
import type { Codecs } from './compression/codec.ts';
import { ArrayDecoder } from './decode-array.ts';
import { type BatchHeader, decodeMessage, type MessageHeader } from './decode-message.ts';

export interface DecoderOptions {
  /** Codecs for compressed batches. A batch with another compression is refused. */
  codecs?: Codecs;
  /** Max size of a decompressed message in bytes. Default: 1 GiB. */
  maxMessageBytes?: number;
}

const defaultMessageBytes = 1024 ** 3;
const prefixBytes = 8;

export class BatchDecoder {
  private known: Schema | undefined;
  private readonly dictionaries = new Map<number, Vector>();
  private readonly codecs: Codecs;
  private readonly maxMessageBytes: number;

  constructor({ codecs = {}, maxMessageBytes = defaultMessageBytes }: DecoderOptions = {}) {
    this.codecs = codecs;
    this.maxMessageBytes = maxMessageBytes;
  }

  /** Schema of the stream; undefined until it arrives. */
  get schema(): Schema | undefined {
    return this.known;
  }

  /**
   * Decodes the next message of the stream.
   * @param metadata the FlatBuffer of the message
   * @param body must not change while batches of it are in use
   * @returns the batch, if the message is one
   * @throws ArrowError `ARROW_MALFORMED`, `ARROW_UNSUPPORTED`; the decoder must not be used afterwards
   */
  decode(metadata: Uint8Array, body: Uint8Array): RecordBatch | undefined {
    return this.take(decodeMessage(metadata), body);
  }

  /** Like `decode`, with decoded metadata. */
  take(message: MessageHeader, body: Uint8Array): RecordBatch | undefined {
    if (message.bodyBytes !== body.length)
      throw malformed(`a body has ${body.length} bytes, expected ${message.bodyBytes} as in its metadata`);
    if (message.kind === 'schema') {
      if (this.known) throw malformed('the stream has a second schema');
      this.known = message.schema;
      return undefined;
    }
    if (!this.known) throw malformed(`a ${message.kind} came before the schema`);
    const buffers = this.buffersOf(message.batch, body);
    const arrays = new ArrayDecoder(message.batch, buffers, this.dictionaries);
    if (message.kind === 'dictionary-batch') {
      this.takeDictionary(message.id, message.isDelta, arrays, message.batch.length);
      return undefined;
    }
    const { fields } = this.known;
    const columns = fields.map((field) => arrays.column(field.type, message.batch.length));
    arrays.end();
    return new RecordBatch(this.known, new Data(new Struct(fields), 0, message.batch.length, 0, {}, columns));
  }

  private takeDictionary(id: number, isDelta: boolean, arrays: ArrayDecoder, length: number): void {
    const type = (this.known as Schema).dictionaries.get(id) as DataType | undefined;
    if (!type) throw malformed(`dictionary ${id} is not in the schema`);
    const values = new Vector([arrays.column(type, length)]);
    arrays.end();
    const before = this.dictionaries.get(id);
    if (isDelta && !before) throw malformed(`an addition came before dictionary ${id} itself`);
    this.dictionaries.set(id, isDelta && before ? before.concat(values) : values);
  }

  private buffersOf({ buffers, compression }: BatchHeader, body: Uint8Array): Uint8Array[] {
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for (let i = 0; i < buffers.length; i += 2) {
      const part = body.subarray(buffers[i], (buffers[i] as number) + (buffers[i + 1] as number));
      bytes += compression && part.length > 0 ? uncompressedBytes(part) : part.length;
      if (bytes > this.maxMessageBytes) {
        throw malformed(`a decompressed batch exceeds the limit of ${this.maxMessageBytes} bytes`);
      }
      parts.push(part);
    }
    if (!compression) return parts;
    const codec = this.codecs[compression];
    if (!codec) throw unsupported(`a batch compressed with ${compression}`, 'send it without compression');
    return parts.map((part) => {
      if (part.length === 0) return part;
      const rest = part.subarray(prefixBytes);
      return statedBytes(part) === -1 ? rest : codec.decompress(rest, statedBytes(part));
    });
  }
}

/** Stated uncompressed size of a compressed buffer; −1 if it is stored uncompressed. */
function statedBytes(part: Uint8Array): number {
  if (part.length < prefixBytes) throw malformed(`a compressed buffer has ${part.length} bytes`);
  const size = Number(new DataView(part.buffer, part.byteOffset).getBigInt64(0, true));
  if (size < -1) throw malformed(`a compressed buffer states the size ${size}`);
  return size;
}

function uncompressedBytes(part: Uint8Array): number {
  const stated = statedBytes(part);
  return stated === -1 ? part.length - prefixBytes : stated;
}

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
  /** Max size in bytes of a decompressed message, and of all dictionaries of the stream. Default: 1 GiB. */
  maxMessageBytes?: number;
}

type DictionaryMessage = Extract<MessageHeader, { kind: 'dictionary-batch' }>;

const defaultMessageBytes = 1024 ** 3;
const prefixBytes = 8;
/** Cost of a dictionary, or of an addition to one, next to its values: a peer may send any number without values. */
const dictionaryCost = 1024;

export class BatchDecoder {
  private known: Schema | undefined;
  private readonly dictionaries = new Map<number, Vector>();
  private readonly dictionaryBytes = new Map<number, number>();
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
    if (message.kind === 'dictionary-batch') {
      this.takeDictionary(message, body);
      return undefined;
    }
    const arrays = new ArrayDecoder(message.batch, this.buffersOf(message.batch, body), this.dictionaries);
    const { fields } = this.known;
    const columns = fields.map((field) => arrays.column(field.type, message.batch.length));
    arrays.end();
    return new RecordBatch(this.known, new Data(new Struct(fields), 0, message.batch.length, 0, {}, columns));
  }

  private takeDictionary({ id, isDelta, batch }: DictionaryMessage, body: Uint8Array): void {
    const type = (this.known as Schema).dictionaries.get(id) as DataType | undefined;
    if (!type) throw malformed(`dictionary ${id} is not in the schema`);
    const before = this.dictionaries.get(id);
    if (isDelta && !before) throw malformed(`an addition came before dictionary ${id} itself`);
    // Values outlive their message, which may be far larger than its body.
    const buffers = this.buffersOf(batch, new Uint8Array(body));
    const bytes = buffers.reduce((sum, { length }) => sum + length, 0);
    this.countDictionary(id, isDelta, Math.max(body.length, bytes) + dictionaryCost);
    const arrays = new ArrayDecoder(batch, buffers, this.dictionaries);
    const values = new Vector([arrays.column(type, batch.length)]);
    arrays.end();
    this.dictionaries.set(id, isDelta && before ? before.concat(values) : values);
  }

  private countDictionary(id: number, isDelta: boolean, bytes: number): void {
    this.dictionaryBytes.set(id, bytes + (isDelta ? (this.dictionaryBytes.get(id) ?? 0) : 0));
    let all = 0;
    for (const one of this.dictionaryBytes.values()) all += one;
    if (all > this.maxMessageBytes + dictionaryCost * this.dictionaryBytes.size) {
      throw malformed(`the dictionaries of a stream exceed the limit of ${this.maxMessageBytes} bytes`);
    }
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

/**
 * `numeric` as Arrow's decimals: the value times 10^scale, in 128 bits. The format is numeric_send: number of digits,
 * weight of the first one, sign, and digits after the point as 16-bit numbers, then the digits to base 10 000.
 */
import type { Decimal } from 'apache-arrow';
import { FixedBuilder } from '../../columns/column-builder.ts';
import { unfitValue } from '../../source-error.ts';
import { type Chunk, ColumnDecoder } from './column-decoder.ts';
import { damagedStream } from './damaged-stream.ts';

const headerBytes = 8;
const positive = 0;
const negative = 0x4000;
const specials: Readonly<Record<number, string>> = { 49152: 'NaN', 53248: 'Infinity', 61440: '-Infinity' };
/** Three digits to base 10 000, times at most 10^3, are below 2^53. */
const smallDigits = 3;
const smallShift = 3;
const powers = [1, 10, 100, 1000];

export class NumericDecoder extends ColumnDecoder<FixedBuilder<Uint32Array, Decimal>> {
  private readonly scale: number;
  /** First number with more digits than the precision: exact up to 10^22, above all small values. */
  private readonly smallLimit: number;

  constructor(type: Decimal, path: string, capacity: number) {
    super(new FixedBuilder<Uint32Array, Decimal>(type, path, capacity, 4));
    this.scale = type.scale;
    this.smallLimit = 10 ** type.precision;
  }

  decode({ view }: Chunk, at: number, length: number, row: number): void {
    if (length < headerBytes) this.requireLength(length, headerBytes);
    const digits = view.getUint16(at);
    const sign = view.getUint16(at + 4);
    this.requireLength(length, headerBytes + 2 * digits);
    if (sign !== positive && sign !== negative) throw this.unfit(sign);
    this.builder.reserve(row);
    if (digits === 0) return;
    // The unit of the last digit is 10^shift after scaling.
    const shift = 4 * (view.getInt16(at + 2) - digits + 1) + this.scale;
    const first = at + headerBytes;
    if (digits > smallDigits || shift > smallShift || shift < -smallShift) {
      this.writeLarge(row, view, first, digits, shift, sign);
      return;
    }
    let size = 0;
    for (let i = 0; i < digits; i++) size = size * 10_000 + view.getUint16(first + 2 * i);
    if (shift >= 0) size *= powers[shift] as number;
    else {
      size /= powers[-shift] as number;
      if (!Number.isInteger(size)) throw this.unfitScale();
    }
    if (size >= this.smallLimit) throw this.unfitPrecision(size);
    const value = sign === negative ? -size : size;
    const { values } = this.builder;
    const word = 4 * row;
    values[word] = value;
    values[word + 1] = Math.floor(value / 2 ** 32);
    if (value < 0) {
      values[word + 2] = 0xffffffff;
      values[word + 3] = 0xffffffff;
    }
  }

  private writeLarge(row: number, view: DataView, first: number, digits: number, shift: number, sign: number): void {
    let size = 0n;
    for (let i = 0; i < digits; i++) size = size * 10_000n + BigInt(view.getUint16(first + 2 * i));
    const factor = 10n ** BigInt(Math.abs(shift));
    if (shift < 0 && size % factor !== 0n) throw this.unfitScale();
    const unscaled = shift < 0 ? size / factor : size * factor;
    if (unscaled >= 10n ** BigInt(this.builder.type.precision)) throw this.unfitPrecision(unscaled);
    let rest = BigInt.asUintN(128, sign === negative ? -unscaled : unscaled);
    for (let word = 0; word < 4; word++) {
      this.builder.values[4 * row + word] = Number(rest & 0xffffffffn);
      rest >>= 32n;
    }
  }

  private unfitPrecision(unscaled: number | bigint): Error {
    return unfitValue(this.builder.path, unscaled, `a decimal of ${this.builder.type.precision} digits`);
  }

  private unfitScale(): Error {
    return unfitValue(this.builder.path, 'more digits', `a decimal with ${this.scale} digits after the point`);
  }

  private unfit(sign: number): Error {
    const special = specials[sign];
    if (special !== undefined) return unfitValue(this.builder.path, special, 'a decimal that is a finite number');
    return damagedStream(`column ${this.builder.path}: got a decimal with the sign ${sign}`);
  }
}

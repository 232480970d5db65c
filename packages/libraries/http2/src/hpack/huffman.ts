/**
 * Decodes the Huffman code of RFC 7541 (section 5.2 and appendix B), half a byte at a time. The code is canonical:
 * sorted by length and then by symbol, each code is the previous one plus one. The lengths alone thus define it.
 */
import { HpackError } from './field.ts';

/** Code length in bits of each byte, and finally of the end of a string (EOS), which must not occur. */
const codeBits: readonly number[] = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6, 5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6, 15, 5, 6, 5, 6,
  5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5, 6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28, 20, 22, 20, 20, 22, 22, 22, 23,
  22, 23, 23, 23, 23, 23, 24, 23, 24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24, 22, 21, 20, 22, 22,
  23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23, 21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23, 26, 26,
  20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25, 19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27,
  27, 20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23, 26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27,
  27, 27, 27, 26, 30,
];
const endOfString = 256;
const minBits = 5;

/** Inner nodes of the code tree, root first. A child is the index of an inner node, or −1 − symbol for a leaf. */
function buildTree(): [zero: number, one: number][] {
  const nodes: [number, number][] = [[0, 0]];
  const symbols = [...codeBits.keys()].sort((a, b) => (codeBits[a] as number) - (codeBits[b] as number) || a - b);
  let code = 0;
  let bits = 0;
  for (const symbol of symbols) {
    const own = codeBits[symbol] as number;
    code *= 2 ** (own - bits);
    bits = own;
    let node = 0;
    for (let bit = bits - 1; bit > 0; bit--) {
      const branches = nodes[node] as [number, number];
      const side = (code >>> bit) & 1;
      if (branches[side] === 0) branches[side] = nodes.push([0, 0]) - 1;
      node = branches[side] as number;
    }
    (nodes[node] as [number, number])[code & 1] = -1 - symbol;
    code += 1;
  }
  return nodes;
}

const emits = 0x1_0000;
const isWrong = 0x2_0000;

/** By node and next four bits: the next node, from bit 8 on the completed symbol (at most one), and flags. */
function buildSteps(nodes: [number, number][]): Uint32Array {
  const steps = new Uint32Array(nodes.length * 16);
  for (let i = 0; i < steps.length; i++) {
    let node = i >>> 4;
    let found = 0;
    for (let bit = 3; bit >= 0; bit--) {
      const next = (nodes[node] as [number, number])[(i >>> bit) & 1] as number;
      if (next === -1 - endOfString) found |= isWrong;
      else if (next < 0) found |= emits | ((-1 - next) << 8);
      node = Math.max(next, 0);
    }
    steps[i] = found | node;
  }
  return steps;
}

/** Nodes at which a string may end: the padding after the last symbol is at most seven bits, all ones. */
function findEnds(nodes: [number, number][]): Uint8Array {
  const ends = new Uint8Array(nodes.length);
  let node = 0;
  for (let ones = 0; ones <= 7; ones++) {
    ends[node] = 1;
    node = (nodes[node] as [number, number])[1];
  }
  return ends;
}

const tree = buildTree();
const steps = buildSteps(tree);
const isEnd = findEnds(tree);
const scratch = Buffer.allocUnsafeSlow(4096);

/** @returns the text of the bytes `from` to `to` − 1, one character per byte; @throws HpackError */
export function decodeHuffman(block: Uint8Array, from: number, to: number): string {
  const maxBytes = Math.ceil(((to - from) * 8) / minBits);
  const text = maxBytes <= scratch.length ? scratch : Buffer.allocUnsafe(maxBytes);
  let length = 0;
  let node = 0;
  for (let i = from; i < to; i++) {
    const byte = block[i] as number;
    const first = steps[(node << 4) | (byte >>> 4)] as number;
    if (first & emits) text[length++] = first >>> 8;
    const second = steps[((first & 0xff) << 4) | (byte & 15)] as number;
    if (second & emits) text[length++] = second >>> 8;
    if ((first | second) & isWrong) throw new HpackError('a Huffman-coded string holds its own end mark');
    node = second & 0xff;
  }
  if (!isEnd[node]) throw new HpackError('a Huffman-coded string does not end in up to seven bits that are all ones');
  return text.toString('latin1', 0, length);
}

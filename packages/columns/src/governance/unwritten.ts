/** Memory with anything in it, for what is written to the last byte: to have it zeroed first costs as much as the work on it. */
export function unwritten(bytes: number): ArrayBuffer {
  return Buffer.allocUnsafeSlow(bytes).buffer as ArrayBuffer;
}

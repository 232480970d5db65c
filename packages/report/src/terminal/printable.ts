/** Text from files made safe to print: control characters could move the cursor, recolour or retitle the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, '�');
}

/** A header field as it travels: text in which each character stands for one byte (latin1). */
export type HeaderField = readonly [name: string, value: string];

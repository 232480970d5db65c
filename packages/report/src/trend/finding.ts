/** What the line of a trend shows, as a sentence of its own and as a part of one for several lines. */

export interface Finding {
  text: string;
  isShown: boolean;
  /** What three or more lines of a trend share, as the start of one sentence for all of them. */
  headline: string;
  /** The part of that sentence which is of this line. */
  clause: string;
}

/** Colours and weight of text in a terminal, or none. */
import pc from 'picocolors';

export type Styles = ReturnType<typeof pc.createColors>;

export function stylesFor(colours: boolean): Styles {
  return pc.createColors(colours);
}

/** A message and its hint. */
export function sentence({ message, hint }: { message?: string; hint?: string }): string {
  return [message, hint].filter(Boolean).join('. ');
}

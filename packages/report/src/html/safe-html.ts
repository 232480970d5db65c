/**
 * HTML templates that escape every value: a topology named `<script>` is shown, not run. Only markup from our own code
 * is inserted unescaped. All pages are built with these templates.
 */

/** Markup that is safe to insert without escaping. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | false | undefined | readonly Content[];

/** Template tag: literals are markup, values are escaped, lists are joined, false and undefined render as nothing. */
export function html(literals: TemplateStringsArray, ...values: Content[]): Markup {
  return new Markup(literals.reduce((text, literal, index) => text + render(values[index - 1]) + literal));
}

function render(value: Content): string {
  if (value === undefined || value === false) return '';
  if (value instanceof Markup) return value.text;
  if (Array.isArray(value)) return value.map(render).join('');
  return escapeHtml(String(value));
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/**
 * Escapes text for element content and quoted attributes. Control and bidirectional characters could disguise text and
 * are replaced with U+FFFD.
 */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] as string)
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '�');
}

/**
 * HTML in which everything is text unless it was written as markup in this code base: values put into the template are
 * escaped, so a topology named `<script>` is shown and not run. There is no other way to build a page here.
 */

/** Markup that is safe to put into a page as it is. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Markup | string | number | false | undefined | readonly Content[];

/** Template tag: literal parts are markup, values are escaped, lists are joined, false and undefined are nothing. */
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
 * Text for element content and quoted attributes. Control and direction characters, which could disguise text, are made
 * visible.
 */
function escapeHtml(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => entities[character] as string)
    .replace(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu, '�');
}

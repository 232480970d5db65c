/** Text from files inside Markdown: shown as it is, never as markup, HTML, link or table border. */
export function markdownText(text: string): string {
  return text
    .replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/[\\`*_[\]|#@!~]/g, '\\$&');
}

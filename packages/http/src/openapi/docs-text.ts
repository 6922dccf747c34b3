import { escapeHtml } from '../pages/escape-html.js';

/** Turns the small Markdown of descriptions into HTML: paragraphs, lists and code. */
export function textHtml(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((block) => {
      const lines = block.split('\n');
      if (!lines.every((line) => line.startsWith('- '))) return `<p>${inlineHtml(block)}</p>`;
      return `<ul>${lines.map((line) => `<li>${inlineHtml(line.slice(2))}</li>`).join('')}</ul>`;
    })
    .join('\n');
}

/** One line of Markdown. */
export function inlineHtml(markdown: string): string {
  return escapeHtml(markdown).replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

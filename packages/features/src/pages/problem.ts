import { escapeHtml } from '@gatehouse/http/pages/html-page';

/** The error message, announced to screen readers. */
export function problem(...messages: readonly string[]): string {
  const lines = messages.map((message) => `<p class="bad">${escapeHtml(message)}</p>`);
  return `<div role="alert" id="problem">${lines.join('')}</div>\n`;
}

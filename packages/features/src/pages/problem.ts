import { escapeHtml } from '@gatehouse/http/pages/escape-html';

/** What is wrong, announced to those who do not see the page. */
export function problem(...messages: readonly string[]): string {
  const lines = messages.map((message) => `<p class="bad">${escapeHtml(message)}</p>`);
  return `<div role="alert" id="problem">${lines.join('')}</div>\n`;
}

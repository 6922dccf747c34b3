import { escapeHtml } from '@gatehouse/http/pages/html-page';

/** An address in a text. Quotation marks, and punctuation at its end, are of the sentence around it. */
const LINK = /https?:\/\/[^\s<>"“”„‟‘’‚«»]*[^\s<>"“”„‟‘’‚«».,;:!?'…()[\]{}]/g;

/**
 * A text as HTML, with links to follow.
 * @param anchor makes the element of a link, which is escaped
 */
export function linkedText(text: string, anchor: (link: string) => string): string {
  let html = '';
  let end = 0;
  for (const { 0: link, index } of text.matchAll(LINK)) {
    html += escapeHtml(text.slice(end, index)) + anchor(escapeHtml(link));
    end = index + link.length;
  }
  return html + escapeHtml(text.slice(end));
}

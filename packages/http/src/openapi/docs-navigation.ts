import { escapeHtml } from '../pages/escape-html.js';
import { methodHtml, type PlacedOperation } from './docs-operation.js';
import type { OpenApiDocument } from './document.js';

/** The sidebar of the document: its name, the search field, and every operation by chapter. */
export function navigationHtml(
  { info, tags }: OpenApiDocument,
  operations: readonly PlacedOperation[],
): string {
  const chapters = tags.map(({ name }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return `<li><a class="chapter" href="#${escapeHtml(name)}">${escapeHtml(name)}</a>\n<ul>${own.map(linkHtml).join('\n')}</ul></li>`;
  });
  return [
    '<header class="side">',
    `<p class="brand">${MARK} <strong>Gatehouse</strong> <span>${escapeHtml(info.title.replace(/^Gatehouse, /, ''))}</span></p>`,
    '<div id="search"></div>',
    '<nav id="contents" aria-label="Contents"><ul>',
    '<li><a class="chapter" href="#who-calls">Who calls</a></li>',
    ...chapters,
    '<li><a class="chapter" href="#models">Models</a></li>',
    '<li><a class="chapter" href="#refusals">Refusals</a></li>',
    '</ul></nav>',
    '</header>',
  ].join('\n');
}

/** A link to a part of the page. */
const MARK =
  '<svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true"><path d="M3 19V2h14v17" fill="none" stroke="currentColor" stroke-width="2.5"/></svg>';

function linkHtml({ path, method, operation }: PlacedOperation): string {
  return `<li><a class="to" href="#${escapeHtml(operation.operationId)}"><span>${escapeHtml(operation.summary)}</span> <small>${methodHtml(method)} <code>${escapeHtml(path)}</code></small></a></li>`;
}

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
    return `<li><a class="chapter" href="#${escapeHtml(name)}">${escapeHtml(name)}</a>\n<ul>${linksHtml(own)}</ul></li>`;
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

/** A derived path is on the same line as the documented one, if there is one. Search finds both. */
function linksHtml(operations: readonly PlacedOperation[]): string {
  const lines = new Map<string, { shown: PlacedOperation; others: string[] }>();
  for (const each of operations) {
    const { operationId } = each.operation;
    const procedure = operationId.replace(/^v1\.(.+?)(\.get)?$/, '$1');
    const line = operationId === procedure ? undefined : lines.get(procedure);
    if (line) line.others.push(each.path);
    else lines.set(procedure, { shown: each, others: [] });
  }
  return [...lines.values()].map(({ shown, others }) => linkHtml(shown, others)).join('\n');
}

function linkHtml({ path, method, operation }: PlacedOperation, others: readonly string[]): string {
  return `<li><a class="to" href="#${escapeHtml(operation.operationId)}" data-also="${escapeHtml(others.join(' '))}"><span>${escapeHtml(operation.summary)}</span> <small>${methodHtml(method)} <code>${escapeHtml(path)}</code></small></a></li>`;
}

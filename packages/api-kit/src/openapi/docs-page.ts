import { escapeHtml } from '../pages/escape-html.js';
import type { Page } from '../pages/send-page.js';
import { operationHtml } from './docs-operation.js';
import { DOCS_STYLE } from './docs-style.js';
import { inlineHtml, textHtml } from './docs-text.js';
import type { OpenApiDocument } from './document.js';

/** The document as a page for people: plain HTML that loads nothing and runs nothing. */
export function docsPage(document: OpenApiDocument): Page {
  const { info, tags, paths, components, servers } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
  const chapters = tags.map(({ name, description }) =>
    [
      `<h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>`,
      textHtml(description),
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((each) => operationHtml(document, each)),
    ].join('\n'),
  );
  const schemes = Object.entries(components.securitySchemes).map(
    ([key, scheme]) =>
      `<dt id="by-${escapeHtml(key)}"><code>${escapeHtml(key)}</code></dt><dd>${inlineHtml(String(scheme['description']))}</dd>`,
  );
  const body = [
    `<p>Version ${escapeHtml(info.version)}, at <code>${escapeHtml(servers[0]?.url ?? '')}</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>`,
    textHtml(info.description),
    '<nav aria-label="Chapters"><ul>',
    ...tags.map(({ name }) => `<li><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a></li>`),
    '</ul></nav>',
    '<h2>Saying who calls</h2>',
    `<dl>${schemes.join('')}</dl>`,
    ...chapters,
  ].join('\n');
  return { title: info.title, body, style: DOCS_STYLE };
}

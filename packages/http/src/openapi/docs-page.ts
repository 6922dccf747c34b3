import { ERRORS } from '@gatehouse/auth-core';
import { escapeHtml } from '../pages/escape-html.js';
import type { Page } from '../pages/send-page.js';
import type { Tag } from '../trpc/tags.js';
import { fieldsHtml } from './docs-fields.js';
import { navigationHtml } from './docs-navigation.js';
import { codeHtml, operationHtml, type PlacedOperation } from './docs-operation.js';
import { DOCS_STYLE } from './docs-style.js';
import { inlineHtml, textHtml } from './docs-text.js';
import type { OpenApiDocument } from './document.js';
import { schemaRows } from './schema-rows.js';
import { typescriptLiteral } from './typescript-literal.js';

/** The script for search, copying and trying. */
const SCRIPT = '/docs/main.js';

/**
 * The document as a page for people: plain HTML that works without scripts.
 * @param shown the tag whose operations it has, if not all, and the tags there are
 */
export function docsPage(
  document: OpenApiDocument,
  shown: { readonly tag: Tag | undefined; readonly tags: readonly Tag[] },
): Page {
  const { info, tags, paths, components, servers } = document;
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): PlacedOperation => ({ path, method, operation })),
  );
  const chapters = tags.map(({ name, description }) =>
    [
      `<section aria-labelledby="${escapeHtml(name)}"><h2 id="${escapeHtml(name)}">${escapeHtml(name)}</h2>`,
      textHtml(description),
      ...operations
        .filter(({ operation }) => operation.tags.includes(name))
        .map((each) => operationHtml(document, each)),
      '</section>',
    ].join('\n'),
  );
  const schemes = Object.entries(components.securitySchemes).map(
    ([key, scheme]) =>
      `<dt id="by-${escapeHtml(key)}"><code>${escapeHtml(key)}</code></dt><dd>${inlineHtml(String(scheme['description']))}</dd>`,
  );
  const models = Object.entries(components.schemas).map(
    ([name, schema]) =>
      `<details class="operation model" id="model-${escapeHtml(name)}"><summary><h3><code>${escapeHtml(name)}</code></h3></summary>${fieldsHtml(schemaRows(schema, document))}</details>`,
  );
  const refusals = Object.entries(ERRORS).map(
    ([code, { status, message }]) =>
      `<dt id="refusal-${code}"><span class="status">${status}</span> <code>${code}</code></dt><dd>${escapeHtml(message)}</dd>`,
  );
  const body = [
    `<p class="lead">Version ${escapeHtml(info.version)}, at <code>${escapeHtml(servers[0]?.url ?? '')}</code>. For programs: <a href="/openapi.json${tagQuery(shown.tag)}">openapi.json</a>.</p>`,
    readersHtml(shown),
    textHtml(info.description),
    codeHtml('A client for the examples', clientSetup(document)),
    '<section aria-labelledby="who-calls"><h2 id="who-calls">Who calls</h2>',
    `<dl>${schemes.join('')}</dl></section>`,
    ...chapters,
    '<section aria-labelledby="models"><h2 id="models">Models</h2>',
    ...models,
    '</section>',
    '<section aria-labelledby="refusals"><h2 id="refusals">Refusals</h2>',
    `<dl>${refusals.join('')}</dl></section>`,
  ].join('\n');
  return {
    title: info.title,
    before: navigationHtml(document, operations),
    body,
    style: DOCS_STYLE,
    script: SCRIPT,
  };
}

/** Links to the pages with the operations of one tag, and to that with those of all readers. */
function readersHtml({
  tag,
  tags,
}: {
  readonly tag: Tag | undefined;
  readonly tags: readonly Tag[];
}): string {
  const links = [undefined, ...tags].map((each) => {
    const name = each ?? 'all';
    return each === tag ? `<strong>${name}</strong>` : `<a href="/docs${tagQuery(each)}">${name}</a>`;
  });
  return `<p>By tag: ${links.join(', ')}.</p>`;
}

function tagQuery(tag: Tag | undefined): string {
  return tag === undefined ? '' : `?tag=${tag}`;
}

/** The first lines of every example of the typed client. */
function clientSetup({ servers }: OpenApiDocument): string {
  const [server] = servers;
  const [create, entry] = server?.['x-internal']
    ? ['createAdminClient', '@gatehouse/client-sdk/admin']
    : ['createMainClient', '@gatehouse/client-sdk'];
  return [
    `import { ${create}, perCall } from '${entry}';`,
    '',
    `const gatehouse = ${create}({ url: ${typescriptLiteral(server?.url ?? '')} });`,
  ].join('\n');
}

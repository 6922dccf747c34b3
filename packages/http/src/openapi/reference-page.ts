import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { escapeHtml, styleSource } from '../pages/html-page.js';

const OWN = new URL('browser/', import.meta.url);
const require = createRequire(import.meta.url);

/** Our answers have no links, whose column is too wide for a phone. */
const NO_LINKS = '.swagger-ui .response-col_links{display:none}';

/** The scripts of the reference and of moving pages, by the name under which `/docs` serves them. */
export const SCRIPTS: ReadonlyMap<string, URL | string> = new Map<string, URL | string>([
  ['swagger-ui-bundle.js', require.resolve('swagger-ui-dist/swagger-ui-bundle.js')],
  ['show-reference.js', new URL('show-reference.js', OWN)],
  ['move-to-host.js', new URL('move-to-host.js', OWN)],
]);

/**
 * The page on which Swagger UI shows the document, and its Content-Security-Policy: only scripts of this service, requests only
 * to it, and images that are part of the style sheet. Swagger UI creates markup from text that it cleaned, which trusted types
 * forbid.
 * @param search the query of the document and of the page, such as `?tag=partner`
 */
export function referencePage(title: string, search: string): { html: string; policy: string } {
  const sheet = readFileSync(require.resolve('swagger-ui-dist/swagger-ui.css'), 'utf8') + NO_LINKS;
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styleSource(sheet)}`,
    "connect-src 'self'",
    'img-src data:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${sheet}</style>
</head>
<body>
<noscript><a href="/openapi.json${search}">openapi.json</a></noscript>
<div id="reference"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script src="/docs/show-reference.js"></script>
</body>
</html>
`;
  return { html, policy };
}

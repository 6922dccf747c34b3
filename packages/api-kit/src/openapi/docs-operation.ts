import { escapeHtml } from '../pages/escape-html.js';
import { inlineHtml, textHtml } from './docs-text.js';
import type { MediaType, OpenApiDocument, Operation, Parameter, Reference, Response } from './document.js';
import { type SchemaRow, schemaRows, typeText } from './schema-rows.js';

/** One operation, folded up. */
export function operationHtml(
  document: OpenApiDocument,
  { path, method, operation }: { path: string; method: string; operation: Operation },
): string {
  return [
    `<details id="${escapeHtml(operation.operationId)}">`,
    `<summary><span class="method">${escapeHtml(method.toUpperCase())}</span> <code>${escapeHtml(path)}</code> ${escapeHtml(operation.summary)}</summary>`,
    textHtml(operation.description),
    `<p>${securityHtml(operation)}</p>`,
    parametersHtml(document, operation),
    ...Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) =>
      mediaHtml(document, `Body, <code>${escapeHtml(type)}</code>`, media),
    ),
    ...Object.entries(operation.responses).map(([status, response]) =>
      responseHtml(document, status, response),
    ),
    '</details>',
  ].join('\n');
}

function securityHtml({ security }: Operation): string {
  if (security.length === 0) return 'Nobody needs to be signed in.';
  const keys = security.flatMap((each) => Object.keys(each));
  return `Signed in by ${keys.map((key) => `<a href="#by-${escapeHtml(key)}">${escapeHtml(key)}</a>`).join(' or ')}.`;
}

function parametersHtml(document: OpenApiDocument, { parameters }: Operation): string {
  const rows = parameters.map((each): SchemaRow => {
    const { name, in: place, schema, description = '', required = false } = parameterOf(document, each);
    return { path: name, type: `${place}, ${typeText(schema)}`, isRequired: required, description };
  });
  return `<h3>Parameters</h3>\n${tableHtml(rows)}`;
}

function responseHtml(document: OpenApiDocument, status: string, given: Response | Reference): string {
  const response = responseOf(document, given);
  const parts = Object.entries(response?.content ?? {}).map(([type, media]) =>
    'properties' in media.schema
      ? mediaHtml(document, `<code>${escapeHtml(type)}</code>`, media)
      : `<p class="hint"><code>${escapeHtml(type)}</code></p>`,
  );
  return [
    `<h3>${escapeHtml(status)}</h3>`,
    textHtml(response?.description ?? ''),
    `<p class="hint">Headers: ${Object.keys(response?.headers ?? {})
      .map((name) => `<code>${escapeHtml(name)}</code>`)
      .join(', ')}</p>`,
    ...parts,
  ].join('\n');
}

function mediaHtml(document: OpenApiDocument, title: string, { schema, example }: MediaType): string {
  const rows = schemaRows(schema, document);
  const shown =
    example === undefined ? '' : `<pre>${escapeHtml(JSON.stringify(example, undefined, 2))}</pre>`;
  return [`<h3>${title}</h3>`, rows.length === 0 ? '' : tableHtml(rows), shown].join('\n');
}

function tableHtml(rows: readonly SchemaRow[]): string {
  const lines = rows.map(
    ({ path, type, isRequired, description }) =>
      `<tr><td><code>${escapeHtml(path)}</code></td><td>${escapeHtml(type)}${isRequired ? '' : ', optional'}</td><td>${inlineHtml(description)}</td></tr>`,
  );
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

function parameterOf({ components }: OpenApiDocument, given: Parameter | Reference): Parameter {
  if (!('$ref' in given)) return given;
  const found = components.parameters[lastPart(given.$ref)];
  if (!found) throw new Error(`Nothing is at ${given.$ref}`);
  return found;
}

function responseOf({ components }: OpenApiDocument, given: Response | Reference): Response | undefined {
  return '$ref' in given ? components.responses[lastPart(given.$ref)] : given;
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

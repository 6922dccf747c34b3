import { escapeHtml } from '../pages/escape-html.js';
import { fieldsHtml } from './docs-fields.js';
import { textHtml } from './docs-text.js';
import type { MediaType, OpenApiDocument, Operation, Response } from './document.js';
import { keptToken } from './kept-token.js';
import { parameterAt } from './parameters.js';
import { type SchemaRow, schemaRows, typeText } from './schema-rows.js';

/** An operation with its path and method. */
export interface PlacedOperation {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
}

/** One operation, collapsed. */
export function operationHtml(document: OpenApiDocument, placed: PlacedOperation): string {
  const { path, method, operation } = placed;
  const keeps = keptToken(operation);
  const attributes = [
    `id="${escapeHtml(operation.operationId)}"`,
    `data-method="${method}"`,
    `data-path="${escapeHtml(path)}"`,
    ...(keeps === undefined ? [] : [`data-keeps="${keeps}"`]),
    ...(canBeTried(operation) ? ['data-try'] : []),
  ];
  return [
    `<details class="operation" ${attributes.join(' ')}>`,
    `<summary><h3>${methodHtml(method)} <code>${escapeHtml(path)}</code></h3> <span>${escapeHtml(operation.summary)}</span></summary>`,
    '<div>',
    textHtml(operation.description),
    `<p>${securityHtml(operation)}</p>`,
    '<div class="columns"><div class="samples">',
    ...operation['x-codeSamples'].map(({ label, source }) => codeHtml(label, source)),
    ...exampleHtml(operation),
    '</div><div class="details">',
    parametersHtml(operation),
    ...bodiesHtml(document, operation),
    ...answersHtml(document, operation),
    refusalsHtml(operation),
    '</div></div></div>',
    '</details>',
  ].join('\n');
}

/** The page cannot follow a redirect, or create a payment provider's signature. */
function canBeTried({ responses, security }: Operation): boolean {
  const isSigned = security.some((each) => Object.keys(each).some((key) => key.endsWith('Signature')));
  return '200' in responses && !isSigned;
}

/** The method as a small label. */
export function methodHtml(method: string): string {
  return `<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function securityHtml({ security }: Operation): string {
  if (security.length === 0) return 'Nobody needs to be signed in.';
  const link = (key: string) => `<a href="#by-${escapeHtml(key)}">${escapeHtml(key)}</a>`;
  const ways = security.map((each) => Object.keys(each).map(link).join(' with '));
  return `Signed in by ${ways.join(' or ')}.`;
}

function parametersHtml({ parameters }: Operation): string {
  const rows = parameters.map((each): SchemaRow => {
    const { name, in: place, schema, description = '', required = false } = parameterAt(each);
    return { path: name, type: `${place}, ${typeText(schema)}`, isRequired: required, description };
  });
  return `<h4>Parameters</h4>\n${fieldsHtml(rows)}`;
}

/** A body is described once, whatever its media types. */
function bodiesHtml(document: OpenApiDocument, { requestBody }: Operation): string[] {
  const all = Object.entries(requestBody?.content ?? {});
  const [first] = all;
  if (first === undefined) return [];
  const types = all.map(([type]) => `<code>${escapeHtml(type)}</code>`).join(' or ');
  const fields = mediaHtml(document, first[1]);
  return ['<h4>Body</h4>', `<p class="hint">${types}</p>`, fields === '' ? '<p>Not read.</p>' : fields];
}

function answersHtml(document: OpenApiDocument, { responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, given]) => {
    if ('$ref' in given) return [];
    const parts = Object.entries(given.content ?? {}).map(
      ([type, media]) => `<p class="hint"><code>${escapeHtml(type)}</code></p>${mediaHtml(document, media)}`,
    );
    return [`<h4>${escapeHtml(status)}</h4>`, textHtml(given.description), headersHtml(given), ...parts];
  });
}

function headersHtml({ headers }: Response): string {
  const own = Object.entries(headers).filter(([, header]) => !('$ref' in header));
  if (own.length === 0) return '';
  return `<p class="hint">Headers: ${own.map(([name]) => `<code>${escapeHtml(name)}</code>`).join(', ')}</p>`;
}

/** Common refusals: only their codes. The chapter on refusals explains them. */
function refusalsHtml({ responses }: Operation): string {
  const rows = Object.entries(responses).flatMap(([status, given]) => {
    // A code with sentences of its own is followed by what they are about.
    const codes =
      '$ref' in given
        ? lastPart(given.$ref)
            .split('.')
            .map((each) => each.replace(/-.*/, ''))
        : [];
    return codes.map(
      (code) =>
        `<li><span class="status">${escapeHtml(status)}</span> <a href="#refusal-${escapeHtml(code)}">${escapeHtml(code)}</a></li>`,
    );
  });
  return rows.length === 0 ? '' : `<h4>Refusals</h4>\n<ul class="refusals">${rows.join('')}</ul>`;
}

function exampleHtml({ responses }: Operation): string[] {
  const answer = responses['200'];
  if (answer === undefined || '$ref' in answer) return [];
  const example = answer.content?.['application/json']?.example;
  return example === undefined ? [] : [codeHtml('Answer', JSON.stringify(example, undefined, 2))];
}

/** Code with its title. */
export function codeHtml(label: string, source: string): string {
  return `<figure><figcaption>${escapeHtml(label)}</figcaption><pre><code>${escapeHtml(source)}</code></pre></figure>`;
}

function mediaHtml(document: OpenApiDocument, { schema }: MediaType): string {
  const rows = schemaRows(schema, document);
  return rows.length === 0 ? '' : fieldsHtml(rows);
}

function lastPart(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

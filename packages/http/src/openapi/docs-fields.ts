import { escapeHtml } from '../pages/escape-html.js';
import { inlineHtml } from './docs-text.js';
import type { SchemaRow } from './schema-rows.js';

/** Fields with type and meaning, in lines that wrap at any width. */
export function fieldsHtml(rows: readonly SchemaRow[]): string {
  return `<ul class="fields">${rows.map(fieldHtml).join('')}</ul>`;
}

function fieldHtml({ path, type, isRequired, description }: SchemaRow): string {
  const meaning = description === '' ? '' : `<p>${inlineHtml(description)}</p>`;
  return `<li><code>${escapeHtml(path)}</code> <small>${escapeHtml(type)}${isRequired ? '' : ', optional'}</small>${meaning}</li>`;
}

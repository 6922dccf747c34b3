import { credentialField } from './credentials.js';
import { readRecord } from './read-record.js';

/**
 * @typedef {import('./open-api.js').OpenApi} OpenApi
 * @typedef {import('./open-api.js').Operation} Operation
 */

/**
 * The request of a filled-in form. It goes only to this service, without cookies.
 * @param {{ path: string, method: string, operation: Operation, document: OpenApi }} called
 * @param {FormData} filled values by `path:name`, `query:name`, `header:name`, and `body`
 * @returns {Request}
 */
export function buildRequest({ path, method, operation, document }, filled) {
  const headers = new Headers();
  const query = new URLSearchParams();
  let filledPath = path;
  for (const [key, given] of filled) {
    const value = textOf(given);
    const [place, name = ''] = key.split(/:(.*)/s);
    if (place === 'path') filledPath = filledPath.replace(`{${name}}`, encodeURIComponent(value));
    else if (value === '') continue;
    else if (place === 'query') query.append(name, value);
    else if (place === 'header') headers.set(name, value);
  }
  const url = new URL(filledPath, location.origin);
  url.search = query.toString();
  if (url.origin !== location.origin) throw new Error('Only this service is asked.');

  const scheme = usedScheme(operation);
  if (scheme !== undefined) {
    const { type, name = 'Authorization' } = document.components.securitySchemes[scheme] ?? { type: 'http' };
    const token = credentialField(scheme)?.value ?? '';
    headers.set(name, type === 'http' ? `Bearer ${token}` : token);
  }

  const body = filled.get('body');
  const type = bodyType(operation);
  if (body !== null && type !== undefined) headers.set('Content-Type', type);
  return new Request(url, {
    method: method.toUpperCase(),
    headers,
    body: body === null ? null : encoded(textOf(body), type),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  });
}

/**
 * @param {Operation} operation
 * @returns {string | undefined} the first of its security schemes for which this page has a token
 */
export function usedScheme({ security }) {
  return security
    .flatMap((each) => Object.keys(each))
    .find((key) => (credentialField(key)?.value ?? '') !== '');
}

/**
 * @param {FormDataEntryValue} value
 * @returns {string}
 */
function textOf(value) {
  return typeof value === 'string' ? value : value.name;
}

/**
 * @param {Operation} operation
 * @returns {string | undefined}
 */
function bodyType({ requestBody }) {
  const types = Object.keys(requestBody?.content ?? {});
  return types.includes('application/json') ? 'application/json' : types[0];
}

/**
 * @param {string} text
 * @param {string | undefined} type
 * @returns {string}
 */
function encoded(text, type) {
  if (type !== 'application/x-www-form-urlencoded') return text;
  const fields = readRecord(text);
  return new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)])).toString();
}

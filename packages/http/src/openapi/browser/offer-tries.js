import { buildRequest, usedScheme } from './build-request.js';
import { credentialField } from './credentials.js';
import { element } from './element.js';
import { offerCopies } from './offer-copies.js';
import { openApi } from './open-api.js';
import { readRecord } from './read-record.js';

/**
 * @typedef {import('./open-api.js').OpenApi} OpenApi
 * @typedef {import('./open-api.js').Operation} Operation
 * @typedef {import('./open-api.js').Parameter} Parameter
 */

const LONGEST_MS = 30_000;

/** Adds a button to every operation that can be called from here. It calls the running service. */
export function offerTries() {
  for (const details of document.querySelectorAll('details[data-try]')) {
    const place = details.querySelector('.samples');
    if (!(details instanceof HTMLDetailsElement) || !place) continue;
    const button = element('button', { type: 'button' }, ['Try it']);
    const row = element('div', { class: 'row' }, [button]);
    button.addEventListener('click', () => {
      button.disabled = true;
      openApi().then(
        (api) => {
          const form = tryForm(details, api);
          row.replaceWith(form);
          focusFirst(form);
        },
        () => {
          button.disabled = false;
          button.textContent = 'Try it again: the service did not answer';
        },
      );
    });
    place.prepend(row);
  }
}

/** @param {HTMLFormElement} form */
function focusFirst(form) {
  const first = form.querySelector('input, textarea, button');
  if (first instanceof HTMLElement) first.focus();
}

/**
 * @param {HTMLDetailsElement} details
 * @param {OpenApi} api
 * @returns {HTMLFormElement}
 */
function tryForm(details, api) {
  const { path = '', method = '' } = details.dataset;
  const operation = api.paths[path]?.[method];
  if (!operation) throw new Error(`${method} ${path} is not described`);
  const send = element('button', { type: 'submit' }, ['Send']);
  const answer = element('div', { 'aria-live': 'polite' });
  const form = element('form', { class: 'try', 'aria-label': `Try ${method.toUpperCase()} ${path}` }, [
    ...operation.parameters.flatMap((given) => parameterField(resolved(given, api), details.id)),
    ...bodyField(operation, details.id),
    element('div', { class: 'row' }, [send, element('small', {}, [`Calls ${location.host}, for real.`])]),
    answer,
  ]);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    if (send.disabled) return;
    send.disabled = true;
    void attempt(details, { path, method, operation, document: api }, new FormData(form))
      .then((shown) => {
        answer.replaceChildren(...shown);
        offerCopies(answer);
      })
      .finally(() => {
        send.disabled = false;
      });
  });
  return form;
}

/**
 * Sends one request and shows the answer.
 * @param {HTMLDetailsElement} details
 * @param {Parameters<typeof buildRequest>[0]} called
 * @param {FormData} filled
 * @returns {Promise<HTMLElement[]>}
 */
async function attempt(details, called, filled) {
  const startedMs = performance.now();
  try {
    const signal = AbortSignal.timeout(LONGEST_MS);
    const response = await fetch(buildRequest(called, filled), { signal });
    const text = await response.text();
    const took = `${Math.round(performance.now() - startedMs)} ms`;
    return [
      answerFigure(response, took, text),
      ...keptNote(details, response, text),
      ...missingNote(called.operation, response),
    ];
  } catch (error) {
    return [
      element('p', { class: 'note' }, [
        `Not answered: ${error instanceof Error ? error.message : 'unknown'}`,
      ]),
    ];
  }
}

/**
 * @param {Response} response
 * @param {string} took
 * @param {string} text
 */
function answerFigure(response, took, text) {
  const status = element('span', { class: response.ok ? 'status fine' : 'status' }, [
    String(response.status),
  ]);
  const headers = ['x-request-id', 'retry-after', 'ratelimit'].flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [element('p', { class: 'hint' }, [`${name}: ${value}`])];
  });
  return element('figure', { class: 'answer' }, [
    element('figcaption', {}, [element('span', {}, [status, ` in ${took}`])]),
    ...headers,
    element('pre', { tabindex: '0', role: 'group', 'aria-label': 'Answer' }, [
      element('code', {}, [readable(response, text)]),
    ]),
  ]);
}

/**
 * @param {Response} response
 * @param {string} text
 */
function readable({ headers }, text) {
  if (!/\bjson\b/.test(headers.get('content-type') ?? '')) return text;
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return text;
  }
}

/**
 * Stores the token of a sign-in for later requests.
 * @param {HTMLDetailsElement} details
 * @param {Response} response
 * @param {string} text
 * @returns {HTMLElement[]}
 */
function keptNote({ dataset: { keeps } }, response, text) {
  const field = keeps === undefined ? undefined : credentialField(keeps);
  if (!response.ok || !field) return [];
  const { token } = readRecord(text);
  if (typeof token !== 'string') return [];
  field.value = token;
  return [
    element('p', { class: 'note' }, [
      'Signed in. Tries that follow send this token as ',
      element('a', { href: `#by-${keeps}` }, [keeps ?? '']),
      ', until this page is reloaded.',
    ]),
  ];
}

/**
 * @param {Operation} operation
 * @param {Response} response
 * @returns {HTMLElement[]}
 */
function missingNote(operation, { status }) {
  if ((status !== 401 && status !== 403) || operation.security.length === 0) return [];
  if (usedScheme(operation) !== undefined) return [];
  return [
    element('p', { class: 'note' }, [
      'Nobody is signed in here. Try a sign-in first, or put a token under ',
      element('a', { href: '#who-calls' }, ['Who calls']),
      '.',
    ]),
  ];
}

/**
 * @param {Parameter | { $ref: string }} given
 * @param {OpenApi} api
 * @returns {Parameter | undefined}
 */
function resolved(given, { components }) {
  if (!('$ref' in given)) return given;
  return components.parameters[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
}

/**
 * @param {Parameter | undefined} parameter
 * @param {string} operationId
 * @returns {HTMLElement[]}
 */
function parameterField(parameter, operationId) {
  // The service generates the request id.
  if (!parameter || parameter.name === 'X-Request-Id') return [];
  const { name, in: place, required = false, example } = parameter;
  const id = `try-${operationId}-${place}-${name}`;
  const input = element('input', { id, name: `${place}:${name}`, autocomplete: 'off', spellcheck: 'false' });
  input.required = required;
  if (required && (typeof example === 'string' || typeof example === 'number')) input.value = String(example);
  const hint = element('small', {}, [required ? place : `${place}, optional`]);
  return [element('div', { class: 'field' }, [element('label', { for: id }, [`${name} `, hint]), input])];
}

/**
 * @param {Operation} operation
 * @param {string} operationId
 * @returns {HTMLElement[]}
 */
function bodyField({ requestBody }, operationId) {
  const [media] = Object.values(requestBody?.content ?? {});
  if (!media) return [];
  const id = `try-${operationId}-body`;
  const area = element('textarea', { id, name: 'body', spellcheck: 'false', autocomplete: 'off' });
  area.value = JSON.stringify(media.example ?? {}, undefined, 2);
  return [element('div', { class: 'field' }, [element('label', { for: id }, ['Body']), area])];
}

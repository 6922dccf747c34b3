import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@gatehouse/auth-core';
import express from 'express';
import { hasBody } from '../server/request-headers.js';

/** The maximum size of JSON and form bodies, in bytes. */
const BODY_LIMIT = 100_000;

const FORM = 'application/x-www-form-urlencoded';

const jsonReader = (limit: number) => express.json({ limit, inflate: false, strict: false });

const formReader = (limit: number) => express.urlencoded({ limit, inflate: false, extended: false });

const readJson = jsonReader(BODY_LIMIT);

const SCIM = 'application/scim+json';

/** The maximum size of a request of a directory: a group with 10,000 members. */
const SCIM_BODY_LIMIT = 1_000_000;

const readScim = express.json({
  limit: SCIM_BODY_LIMIT,
  inflate: false,
  strict: false,
  type: ['application/json', SCIM],
});

const readForm = formReader(BODY_LIMIT);

interface BodyOptions {
  readonly form: boolean;
  readonly scim?: true;
  readonly maxBytes?: number | undefined;
}

/**
 * The fields of a request body; `{}` without one. It has 100 kB at most, unless `maxBytes` says otherwise.
 * @throws {AppError} `payload_too_large`, `unsupported_media_type`, or `invalid_input` if it is not a
 * well-formed object.
 */
export async function bodyFields(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  options: BodyOptions,
): Promise<Record<string, unknown>> {
  if (!hasBody(request)) return {};
  const read = readerFor(request.headers['content-type'], options);
  await new Promise<void>((resolve, reject) => {
    read(request, response, (error?: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyError(error));
    });
  });
  const { body } = request;
  if (isForm(request) && looksLikeJson(body)) {
    throw new AppError('unsupported_media_type', {
      issues: [{ path: '', message: 'This body is JSON, but its Content-Type says that it is a form' }],
    });
  }
  if (!isRecord(body)) {
    throw new AppError('invalid_input', {
      issues: [{ path: '', message: 'The body must be a JSON object' }],
    });
  }
  return body;
}

function readerFor(contentType: string | undefined, { form, scim, maxBytes }: BodyOptions): typeof readJson {
  const type = mediaType(contentType);
  if (scim && (type === 'application/json' || type === SCIM)) return readScim;
  if (type === 'application/json') return maxBytes === undefined ? readJson : jsonReader(maxBytes);
  if (form && type === FORM) return maxBytes === undefined ? readForm : formReader(maxBytes);
  throw new AppError('unsupported_media_type');
}

function mediaType(contentType: string | undefined): string | undefined {
  return (contentType ?? '').split(';')[0]?.trim().toLowerCase();
}

/** When JSON is parsed as a form, it becomes one field with the beginning of the JSON as its name. */
function looksLikeJson(form: unknown): boolean {
  const [name = ''] = Object.keys(form ?? {});
  return /^\s*[{[]/.test(name);
}

function bodyError(error: unknown): AppError {
  const status: unknown = error instanceof Error && 'status' in error ? error.status : undefined;
  if (status === 413) return new AppError('payload_too_large', { cause: error });
  if (status === 415) return new AppError('unsupported_media_type', { cause: error });
  return new AppError('invalid_input', {
    issues: [{ path: '', message: 'The body is not well-formed' }],
    cause: error,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a request says that its body is a form. */
function isForm({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return mediaType(headers['content-type']) === FORM;
}

/**
 * The fields of a form with brackets in their names: `ids[]=1` and `ids[0]=1` are lists, `data[plan]=pro` is an object.
 * @throws {AppError} `invalid_input` if one name is both
 */
function unbracketed(form: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [key, value] of Object.entries(form)) {
    const [, name = key, inner] = /^([^[\]]+)\[([^[\]]*)\]$/.exec(key) ?? [];
    const before = fields.get(name);
    if (inner === undefined || /^\d*$/.test(inner)) {
      if (isRecord(before)) throw twofold(name);
      const isList = inner !== undefined || before !== undefined;
      fields.set(name, isList ? [before ?? [], value].flat() : value);
    } else {
      if (before !== undefined && !isRecord(before)) throw twofold(name);
      fields.set(name, Object.fromEntries([...Object.entries(before ?? {}), [inner, value]]));
    }
  }
  return Object.fromEntries(fields);
}

function twofold(path: string): AppError {
  return new AppError('invalid_input', { issues: [{ path, message: 'This field is sent in two ways' }] });
}

/** The fields of a query string. A repeated field becomes a list, which schemas of single values refuse. */
export function queryFields(query: URLSearchParams): Record<string, unknown> {
  const sent = new Map<string, string[]>();
  for (const [key, value] of query) {
    const values = sent.get(key);
    if (values) values.push(value);
    else sent.set(key, [value]);
  }
  const fields: Record<string, unknown> = {};
  for (const [key, values] of sent) {
    Object.defineProperty(fields, key, {
      value: values.length === 1 ? values[0] : values,
      enumerable: true,
    });
  }
  return fields;
}

/**
 * The fields of a request to a procedure: of its body, and of its query if it reads. Older clients send a body with a
 * GET too. Foreign pages can send a form without asking (Fetch, section 3.2.5), so only those of known origins may.
 * @throws {AppError} `origin_refused` for a form of a foreign page, `invalid_input` for a field that is in both
 */
export async function requestFields(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly query: URLSearchParams | undefined;
    readonly takesForm: boolean;
    readonly isOwnPage: (origin: string) => boolean;
    readonly maxBytes?: number | undefined;
  },
): Promise<{ readonly fields: Record<string, unknown>; readonly isText: boolean }> {
  const { query, takesForm, isOwnPage, maxBytes } = options;
  const inQuery = query ? queryFields(query) : {};
  const isText = query !== undefined || isForm(request);
  if (!hasBody(request)) return { fields: inQuery, isText };
  const { origin } = request.headers;
  if (takesForm && isForm(request) && origin !== undefined && !isOwnPage(origin))
    throw new AppError('origin_refused');
  const body = await bodyFields(request, response, { form: takesForm, maxBytes });
  const inBody = isForm(request) ? unbracketed(body) : body;
  const twice = Object.keys(inBody).filter((name) => Object.hasOwn(inQuery, name));
  if (twice.length > 0) {
    throw new AppError('invalid_input', {
      issues: twice.map((path) => ({ path, message: 'This field is in the query and in the body' })),
    });
  }
  return { fields: Object.fromEntries([...Object.entries(inQuery), ...Object.entries(inBody)]), isText };
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@gatehouse/auth-core';
import { hasBody } from '../server/has-body.js';
import { bodyFields, isForm, queryFields, unbracketed } from './body.js';

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
  },
): Promise<{ readonly fields: Record<string, unknown>; readonly isText: boolean }> {
  const { query, takesForm, isOwnPage } = options;
  const inQuery = query ? queryFields(query) : {};
  const isText = query !== undefined || isForm(request);
  if (!hasBody(request)) return { fields: inQuery, isText };
  const { origin } = request.headers;
  if (takesForm && isForm(request) && origin !== undefined && !isOwnPage(origin))
    throw new AppError('origin_refused');
  const body = await bodyFields(request, response, { form: takesForm });
  const inBody = isForm(request) ? unbracketed(body) : body;
  const twice = Object.keys(inBody).filter((name) => Object.hasOwn(inQuery, name));
  if (twice.length > 0) {
    throw new AppError('invalid_input', {
      issues: twice.map((path) => ({ path, message: 'This field is in the query and in the body' })),
    });
  }
  return { fields: Object.fromEntries([...Object.entries(inQuery), ...Object.entries(inBody)]), isText };
}

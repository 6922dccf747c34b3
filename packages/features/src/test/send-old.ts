import { type IncomingHttpHeaders, request } from 'node:http';
import type { RunningService } from '@gatehouse/testkit';

/** An answer as an old client reads it. */
export interface OldAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The JSON of the answer; `{}` if it is not JSON. */
  readonly body: Readonly<Record<string, unknown>>;
}

export interface OldRequest {
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON unless it is text. */
  readonly body?: unknown;
}

/** Sends a request as clients without `fetch` do: that refuses a body with a GET. */
export function sendOld(
  service: Pick<RunningService, 'url'>,
  method: string,
  path: string,
  { headers = {}, body = '' }: OldRequest = {},
): Promise<OldAnswer> {
  const isJson = typeof body !== 'string';
  const bytes = isJson ? JSON.stringify(body) : body;
  const sentHeaders = {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...headers,
    'content-length': String(Buffer.byteLength(bytes)),
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { method, headers: sentHeaders }, (response) => {
      response.setEncoding('utf8');
      let text = '';
      response.on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => {
        const { statusCode: status = 0, headers: answered } = response;
        const isRecord = answered['content-type']?.startsWith('application/json') ?? false;
        const read = isRecord ? (JSON.parse(text) as OldAnswer['body']) : {};
        resolve({ status, headers: answered, text, body: read });
      });
    });
    sent.on('error', reject);
    sent.end(bytes);
  });
}

import { request } from 'node:http';

export interface LoginAnswer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** One login from a given loopback address. */
export function loginFrom(
  service: { readonly url: string },
  localAddress: string,
  body: { email: string; password: string },
  headers: Record<string, string> = {},
  path = '/webauthenticate',
): Promise<LoginAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(`${service.url}${path}`, {
      method: 'POST',
      localAddress,
      headers: { 'content-type': 'application/json', ...headers },
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      response.resume();
      response.once('end', () => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers });
      });
    });
    sent.end(JSON.stringify(body));
  });
}

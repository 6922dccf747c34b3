import type { RunningService } from '@gatehouse/testkit';

/** An answer to a call with an access token. */
interface BearerAnswer {
  readonly status: number;
  /** `ok`, the code of the refusal, or the status where there is none. */
  readonly code: string;
  readonly body: {
    readonly data?: unknown;
    readonly error?: { readonly code: string };
    readonly result?: Record<string, unknown>;
  };
  readonly challenge: string | null;
}

/** Calls a procedure, or an address, with an access token of an application. */
export async function callWithBearer(
  on: RunningService,
  token: string,
  path: string,
  { body, account }: { readonly body?: object; readonly account?: number } = {},
): Promise<BearerAnswer> {
  const response = await on.send(path, {
    ...(body === undefined ? {} : { body, method: 'POST' }),
    headers: {
      authorization: `Bearer ${token}`,
      ...(account === undefined ? {} : { accountid: String(account) }),
    },
  });
  const text = await response.text();
  const answered = (text.startsWith('{') ? JSON.parse(text) : {}) as BearerAnswer['body'];
  const code = response.status < 300 ? 'ok' : (answered.error?.code ?? String(response.status));
  const challenge = response.headers.get('www-authenticate');
  return { status: response.status, code, body: answered, challenge };
}

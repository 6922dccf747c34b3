/** The procedure that makes access tokens, acting in the account of its client. */
interface AccessTokenApi {
  readonly session: {
    readonly accessToken: {
      mutate(input: { audience: string }): Promise<{ data: { accessToken: string; expiresIn: number } }>;
    };
  };
}

interface Held {
  readonly token: Promise<string>;
  /** In monotonic milliseconds; unknown while it is on its way. */
  renewAtMs: number;
}

/** How long before its end a token is renewed, so that it is still valid when it arrives. */
const MARGIN_MS = 10_000;

/**
 * Access tokens for other APIs. Each is kept, separately for each account and API, until shortly before its end or until somebody
 * else signs in.
 */
export function createAccessTokens(subscribe: (listener: () => void) => unknown) {
  const held = new Map<string, Held>();
  let isSubscribed = false;

  function request(key: string, api: AccessTokenApi, audience: string): Promise<string> {
    const askedMs = performance.now();
    const asking = api.session.accessToken.mutate({ audience }).then(({ data }) => {
      entry.renewAtMs = askedMs + data.expiresIn * 1000 - MARGIN_MS;
      return data.accessToken;
    });
    const entry: Held = { token: asking, renewAtMs: Number.POSITIVE_INFINITY };
    held.set(key, entry);
    asking.catch(() => {
      if (held.get(key) === entry) held.delete(key);
    });
    return asking;
  }

  return (api: AccessTokenApi, accountId: number | null, audience: string): Promise<string> => {
    if (!isSubscribed) subscribe(() => held.clear());
    isSubscribed = true;
    const key = `${accountId} ${audience}`;
    const known = held.get(key);
    return known !== undefined && performance.now() < known.renewAtMs
      ? known.token
      : request(key, api, audience);
  };
}

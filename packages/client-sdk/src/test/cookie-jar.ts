/** A `fetch` with cookies, as a page of the service's own origin has it. */
export interface CookieJar {
  /** The cookies by name. */
  readonly cookies: ReadonlyMap<string, string>;
  readonly fetch: typeof globalThis.fetch;
}

export function createCookieJar(kept: ReadonlyMap<string, string> = new Map()): CookieJar {
  const cookies = new Map(kept);
  return {
    cookies,
    async fetch(input, init) {
      const headers = new Headers(init?.headers);
      headers.set('sec-fetch-site', 'same-origin');
      const sends = init?.credentials === 'include' && cookies.size > 0;
      if (sends) headers.set('cookie', Array.from(cookies, (pair) => pair.join('=')).join('; '));
      const response = await globalThis.fetch(input, { ...init, headers });
      for (const line of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
        if (line.includes('Max-Age=0')) cookies.delete(name);
        else cookies.set(name, value);
      }
      return response;
    },
  };
}

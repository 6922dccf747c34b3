import { createServerClient, requestCookies, type ServerClient } from '../server.js';

/** A visitor's browser, as far as a server sees it: cookies, by name. */
export type Visitor = Map<string, string>;

/** One request of a visitor to a server that uses the client. What it sets, the visitor keeps. */
export async function serve<Result>(
  visitor: Visitor,
  handle: (gatehouse: ServerClient, lines: () => readonly string[]) => Promise<Result>,
  {
    url,
    isRender = false,
    ...more
  }: {
    url: string;
    isRender?: boolean;
    fetch?: typeof fetch;
    secure?: boolean;
    visitor?: object;
    timeoutMs?: number;
  },
): Promise<Result> {
  const cookie = Array.from(visitor, (pair) => pair.join('=')).join('; ');
  const request = new Request('http://front.test/', { headers: { cookie } });
  const headers = new Headers();
  const cookies = requestCookies(request, headers);
  const inRender = {
    get: cookies.get,
    set(): never {
      throw new Error('Cookies can only be modified in a Server Action or Route Handler.');
    },
  };
  try {
    const gatehouse = createServerClient({
      url,
      secure: false,
      cookies: isRender ? inRender : cookies,
      ...more,
    });
    return await handle(gatehouse, () => headers.getSetCookie());
  } finally {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (line.includes('Max-Age=0')) visitor.delete(name);
      else visitor.set(name, value);
    }
  }
}

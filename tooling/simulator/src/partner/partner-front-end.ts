import { once } from 'node:events';
import { createServer } from 'node:http';

/** The address of the demonstration partner's front end. */
export const DEFAULT_PARTNER_PORT = 4010;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>acme-partner</title>
</head>
<body style="font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem">
<h1>acme-partner</h1>
<p>This stands for the front end of the partner of the demonstration.</p>
<p>A <code>loginUrl</code> leads here with <code>#login?token=</code> and a token that works once, for ten minutes. A front
end takes it out of the address and posts it to <code>/webauthenticate</code> as <code>token</code>, with
<code>"tempLogin": true</code>: the answer is a session of the member.</p>
</body>
</html>
`;

/** Plays a partner's front end; undefined when its port is in use. */
export async function startPartnerFrontEnd(
  port: number,
): Promise<(AsyncDisposable & { readonly url: string }) | undefined> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Security-Policy', "default-src 'none'; style-src 'unsafe-inline'");
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(PAGE);
  });
  try {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  } catch {
    return undefined;
  }
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  return {
    url: `http://127.0.0.1:${taken}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

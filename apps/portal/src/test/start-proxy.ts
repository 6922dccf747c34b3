import { request as ask, createServer, type IncomingHttpHeaders } from 'node:http';
import { findFreePort } from '@gatehouse/testkit';

/** How a proxy changes a request: other headers for the service, or another address for the visitor. */
type Passing = (
  headers: IncomingHttpHeaders,
  port: number,
) => IncomingHttpHeaders | { readonly leadsTo: string };

/** A proxy whose service is set later. */
export async function startProxy(pass: Passing) {
  const port = await findFreePort();
  let target = '';
  let answers = 0;
  const server = createServer((incoming, outgoing) => {
    answers += 1;
    const { method, url = '/' } = incoming;
    const headers = pass({ ...incoming.headers }, port);
    if (typeof headers['leadsTo'] === 'string') {
      outgoing.writeHead(302, { location: `${headers['leadsTo']}${url}` });
      outgoing.end();
      return;
    }
    const onward = ask(`${target}${url}`, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    // The service may stop during a call.
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => {
    server.listen(port, resolve);
  });
  const url = `http://localhost:${port}`;
  return {
    url,
    /** The variables of a service behind it. */
    env: { APP_URL: url, BASE_URL: url },
    answers: () => answers,
    leadTo(service: string): void {
      target = service.replace('localhost', '127.0.0.1');
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

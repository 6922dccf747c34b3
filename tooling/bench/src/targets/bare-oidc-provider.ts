import { createServer } from 'node:http';
import Provider, { type Configuration } from 'oidc-provider';
import { z } from 'zod';
import { listenAndReport, payloadFromParent } from '../target.js';

const payload = z.object({
  clients: z.array(z.object({ clientId: z.string(), secret: z.string(), redirectUri: z.string() })),
});

const { clients } = payload.parse(await payloadFromParent());

const configuration: Configuration = {
  clients: clients.map(({ clientId, secret, redirectUri }) => ({
    client_id: clientId,
    client_secret: secret,
    redirect_uris: [redirectUri],
  })),
  features: { introspection: { enabled: true }, devInteractions: { enabled: false } },
  pkce: { required: () => true },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  ttl: { AccessToken: 3_600, AuthorizationCode: 60, Grant: 86_400, IdToken: 3_600, Session: 86_400 },
};

const provider = new Provider('http://127.0.0.1:4000', configuration);
const answer = provider.callback();

/** A person who is signed in and has approved every client. */
async function signIn(): Promise<string> {
  const session = Object.assign(new provider.Session(), {
    accountId: '1',
    loginTs: Math.floor(Date.now() / 1000),
  });
  for (const { clientId } of clients) {
    const grant = new provider.Grant({ accountId: '1', clientId });
    grant.addOIDCScope('openid');
    session.ensureClientContainer(clientId);
    session.grantIdFor(clientId, await grant.save());
  }
  session.exp = Math.floor(Date.now() / 1000) + 86_400;
  await session.persist();
  return session.jti;
}

const server = createServer((request, response) => {
  if (request.url === '/bench/session') void signIn().then((session) => response.end(session));
  else void answer(request, response);
});
listenAndReport(server);

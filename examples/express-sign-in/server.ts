import { randomUUID } from 'node:crypto';
import express from 'express';
import * as oauth from 'openid-client';

const { ISSUER = 'http://localhost:4000', CLIENT_ID = '', CLIENT_SECRET = '', PORT = '3000' } = process.env;
const address = `http://127.0.0.1:${PORT}`;

// Only for your own machine: elsewhere the service has TLS.
const isLocal = ISSUER.startsWith('http:');
const config = await oauth.discovery(new URL(ISSUER), CLIENT_ID, CLIENT_SECRET, undefined, {
  // oxlint-disable-next-line typescript/no-deprecated -- marked so that it stands out
  execute: isLocal ? [oauth.allowInsecureRequests] : [],
});

interface Session {
  /** The state with which a sign-in began. */
  verifier?: string;
  state?: string;
  tokens?: oauth.TokenEndpointResponse & oauth.TokenEndpointResponseHelpers;
}

// A real application keeps its sessions in a database.
const sessions = new Map<string, Session>();

function sessionOf(request: express.Request): Session | undefined {
  const [, id = ''] = /(?:^|; )session=([^;]+)/.exec(request.headers.cookie ?? '') ?? [];
  return sessions.get(id);
}

function startSession(response: express.Response, session: Session): void {
  const id = randomUUID();
  sessions.set(id, session);
  // Lax, because the service redirects back here from another site.
  response.cookie('session', id, { httpOnly: true, sameSite: 'lax', secure: !isLocal });
}

const app = express();

app.get('/', async (request, response) => {
  const { tokens } = sessionOf(request) ?? {};
  const claims = tokens?.claims();
  if (tokens === undefined || claims === undefined) {
    response.send('<a href="/login">Sign in</a>');
    return;
  }
  try {
    // The current data of the person. The call fails as soon as they have signed out there, or removed this application.
    const { name, email } = await oauth.fetchUserInfo(config, tokens.access_token, claims.sub);
    response.type('text').send(`Hello ${name}, ${email}`);
  } catch {
    response.send('You are signed out. <a href="/login">Sign in</a>');
  }
});

app.get('/login', async (_request, response) => {
  const session = { verifier: oauth.randomPKCECodeVerifier(), state: oauth.randomState() };
  startSession(response, session);
  const to = oauth.buildAuthorizationUrl(config, {
    redirect_uri: `${address}/callback`,
    scope: 'openid profile email',
    code_challenge: await oauth.calculatePKCECodeChallenge(session.verifier),
    code_challenge_method: 'S256',
    state: session.state,
  });
  response.redirect(to.href);
});

app.get('/callback', async (request, response) => {
  const session = sessionOf(request);
  const { verifier, state } = session ?? {};
  if (session === undefined || verifier === undefined || state === undefined) {
    response.redirect('/login');
    return;
  }
  // Each sign-in has one answer.
  delete session.verifier;
  try {
    const tokens = await oauth.authorizationCodeGrant(config, new URL(request.originalUrl, address), {
      pkceCodeVerifier: verifier,
      expectedState: state,
    });
    // Under a new id, because somebody else may have put the current one into this browser.
    startSession(response, { tokens });
  } catch (error) {
    // They chose Cancel.
    if (!(error instanceof oauth.AuthorizationResponseError && error.error === 'access_denied')) throw error;
  }
  response.redirect('/');
});

app.get('/logout', (request, response) => {
  const session = sessionOf(request);
  const hint = session?.tokens?.id_token;
  delete session?.tokens;
  const back = { post_logout_redirect_uri: address, ...(hint && { id_token_hint: hint }) };
  response.redirect(oauth.buildEndSessionUrl(config, back).href);
});

app.listen(Number(PORT), '127.0.0.1', () => process.stdout.write(`Open ${address}\n`));

import { insertTestMember } from '@gatehouse/testkit';
import express from 'express';
import { auth } from 'express-openid-connect';
import * as oauth from 'oauth4webapi';
import { InMemoryWebStorage, OidcClient, User, UserManager, WebStorageStateStore } from 'oidc-client-ts';
import passport from 'passport';
import { type Profile, Strategy } from 'passport-openidconnect';
import { describe, expect, it } from 'vitest';
import { openFrontDoor } from '../../test/front-door.js';
import { CALLBACK, startOauthWorld } from '../../test/oauth-world.js';
import { serveApp } from '../../test/serve-app.js';

/** The services at their own address, which libraries call over HTTP without changes. */
async function start() {
  const door = await openFrontDoor();
  const world = await startOauthWorld(Date.now, { BASE_URL: door.url, APP_URL: door.url });
  door.leadTo(world.main.url);
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
  return {
    world,
    member,
    issuer: door.url,
    /** Follows a sign-in to the application, agreeing to what it asks for. Returns the address to which it is sent back. */
    async through(browser: ReturnType<typeof world.browser>, url: string): Promise<string> {
      const there = await browser.visit(url);
      return there.url.startsWith(door.url) ? (await browser.visit(there.url, {})).url : there.url;
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await door[Symbol.asyncDispose]();
    },
  };
}

/** Its types include those of a browser, which would then apply in every file. */
const AUTH_JS: string = '@auth/core';

interface AuthJs {
  Auth(request: Request, config: object): Promise<Response>;
  readonly skipCSRFCheck: symbol;
}

const locationOf = (response: Response) => response.headers.get('location') ?? '';

describe('a client library by others signs a person in:', () => {
  it('oauth4webapi, which checks each answer strictly', async () => {
    await using started = await start();
    const { world, member, issuer, through } = started;
    const { clientId, secret } = await world.application();
    const client: oauth.Client = { client_id: clientId };
    const clientAuth = oauth.ClientSecretBasic(secret);
    // oxlint-disable-next-line typescript/no-deprecated -- the services of tests have no TLS
    const insecure = { [oauth.allowInsecureRequests]: true };
    for (const algorithm of ['oidc', 'oauth2'] as const) {
      const url = new URL(issuer);
      const found = await oauth.discoveryRequest(url, { algorithm, ...insecure });
      const as = await oauth.processDiscoveryResponse(url, found);
      expect(as.code_challenge_methods_supported).toEqual(['S256']);
      expect(as.authorization_response_iss_parameter_supported).toBe(true);

      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const asked = {
        redirect_uri: CALLBACK,
        response_type: 'code',
        scope: 'openid email offline_access',
        prompt: 'consent',
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      };
      const pushed = await oauth.processPushedAuthorizationResponse(
        as,
        client,
        await oauth.pushedAuthorizationRequest(as, client, clientAuth, asked, insecure),
      );
      const to = new URL(as.authorization_endpoint ?? '');
      to.search = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri }).toString();
      const back = new URL(await through(world.browser(member), to.href));
      const callback = oauth.validateAuthResponse(as, client, back, state);
      const exchanged = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        clientAuth,
        callback,
        CALLBACK,
        verifier,
        insecure,
      );
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchanged, {
        expectedNonce: nonce,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(as, exchanged, insecure);
      const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
      expect(sub).toBe(String(member.id));
      const info = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
      const claims = await oauth.processUserInfoResponse(as, client, sub, info);
      expect(claims.email).toBe(member.email);
      const { refresh_token: refresh = '' } = tokens;
      const refreshed = await oauth.processRefreshTokenResponse(
        as,
        client,
        await oauth.refreshTokenGrantRequest(as, client, clientAuth, refresh, insecure),
      );
      const known = await oauth.processIntrospectionResponse(
        as,
        client,
        await oauth.introspectionRequest(as, client, clientAuth, refreshed.access_token, insecure),
      );
      expect(known).toMatchObject({ active: true, sub, client_id: clientId });
      await oauth.processRevocationResponse(
        await oauth.revocationRequest(as, client, clientAuth, refreshed.refresh_token ?? '', insecure),
      );
    }
  });

  it('@auth/core', async () => {
    await using started = await start();
    const { world, member, issuer, through } = started;
    const origin = 'http://wiki.test';
    const { clientId, secret } = await world.application({
      redirectUris: [`${origin}/auth/callback/gatehouse`],
    });
    const { Auth, skipCSRFCheck } = (await import(AUTH_JS)) as AuthJs;
    const failures: Error[] = [];
    const config = {
      secret: 'of the application of others, which is long',
      basePath: '/auth',
      trustHost: true,
      useSecureCookies: false,
      skipCSRFCheck,
      logger: { error: (error: Error) => failures.push(error) },
      providers: [
        {
          id: 'gatehouse',
          name: 'Gatehouse',
          type: 'oidc',
          issuer,
          clientId,
          clientSecret: secret,
          checks: ['pkce', 'state', 'nonce'],
          // Our ID tokens identify a person, and userinfo has the rest.
          idToken: false,
        },
      ],
    };
    const jar = new Map<string, string>();
    const visit = async (url: string, method = 'GET') => {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await Auth(new Request(url, { method, headers: { cookie } }), config);
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
      }
      return response;
    };
    const begun = await visit(`${origin}/auth/signin/gatehouse`, 'POST');
    const back = await through(world.browser(member), locationOf(begun));
    expect(locationOf(await visit(back))).toBe(origin);
    expect(failures).toEqual([]);
    const session = (await (await visit(`${origin}/auth/session`)).json()) as { user?: object };
    expect(session.user).toMatchObject({ name: 'Test Member', email: member.email });
  });

  it('passport-openidconnect, which has no PKCE, when staff exempt its application', async () => {
    await using started = await start();
    const { world, member, issuer, through } = started;
    const app = express();
    await using wiki = await serveApp(app);
    const callbackURL = `${wiki.url}/callback`;
    const { id, clientId, secret } = await world.application({ redirectUris: [callbackURL] });
    const session = {};
    app.use((request, _, next) => {
      Object.assign(request, { session });
      next();
    });
    const options = {
      issuer,
      authorizationURL: `${issuer}/oauth/authorize`,
      tokenURL: `${issuer}/oauth/token`,
      userInfoURL: `${issuer}/oauth/userinfo`,
      clientID: clientId,
      clientSecret: secret,
      callbackURL,
      scope: ['profile', 'email'],
      nonce: 'yes',
      skipUserProfile: false,
    };
    const strategy = new Strategy(
      options,
      (_issuer: string, profile: Profile, done: (error: null, user: object) => void) => done(null, profile),
    );
    app.use(passport.initialize());
    const authenticate = passport.authenticate(strategy, { session: false }) as express.RequestHandler;
    app.get('/login', authenticate);
    app.get('/callback', authenticate, (request, response) => void response.json(request.user));

    const refused = await through(
      world.browser(member),
      locationOf(await world.browser(undefined).send(`${wiki.url}/login`)),
    );
    expect(new URL(refused).searchParams.get('error')).toBe('invalid_request');
    const exempt = await world.admin.send('/v1/platformApp/save', {
      token: world.root.token,
      body: { applicationId: id, pkceExempt: true },
    });
    expect(exempt.status).toBe(200);
    const begun = await world.browser(undefined).send(`${wiki.url}/login`);
    const answer = await fetch(await through(world.browser(member), locationOf(begun)));
    expect(await answer.json()).toMatchObject({
      id: String(member.id),
      displayName: 'Test Member',
      emails: [{ value: member.email }],
    });
  });

  it('express-openid-connect, and out again', async () => {
    await using started = await start();
    const { world, member, issuer, through } = started;
    const app = express();
    await using wiki = await serveApp(app);
    const { clientId, secret } = await world.application({
      redirectUris: [`${wiki.url}/callback`],
      postLogoutRedirectUris: [wiki.url],
    });
    app.use(
      auth({
        issuerBaseURL: issuer,
        baseURL: wiki.url,
        clientID: clientId,
        clientSecret: secret,
        secret: 'of the application of others, which is long',
        idpLogout: true,
        authRequired: false,
        authorizationParams: { response_type: 'code', scope: 'openid profile email' },
      }),
    );
    app.get('/', async (request, response) => {
      response.json(request.oidc.isAuthenticated() ? await request.oidc.fetchUserInfo() : {});
    });
    const browser = world.browser(member);
    const back = await through(browser, locationOf(await browser.send(`${wiki.url}/login`)));
    expect((await browser.send(back)).status).toBe(302);
    expect(await (await browser.send(wiki.url)).json()).toMatchObject({
      sub: String(member.id),
      email: member.email,
    });
    const out = await browser.visit(locationOf(await browser.send(`${wiki.url}/logout`)));
    expect(new URL(out.url).origin).toBe(wiki.url);
    expect(await (await browser.send(wiki.url)).json()).toEqual({});
    expect((await world.main.send('/auth/me', { token: member.token })).status).toBe(401);
  });

  it('oidc-client-ts, whose two tabs refresh at the same time and both continue', async () => {
    await using started = await start();
    const { world, member, issuer, through } = started;
    const { clientId } = await world.application({ type: 'spa' });
    const shared = new InMemoryWebStorage();
    const settings = {
      authority: issuer,
      client_id: clientId,
      redirect_uri: CALLBACK,
      scope: 'openid profile offline_access',
      prompt: 'consent',
      stateStore: new WebStorageStateStore({ store: shared }),
      userStore: new WebStorageStateStore({ store: shared }),
      automaticSilentRenew: false,
    };
    const client = new OidcClient(settings);
    const { url } = await client.createSigninRequest({});
    const back = await through(world.browser(member), url);
    const first = new UserManager(settings);
    await first.storeUser(new User(await client.processSigninResponse(back)));
    const second = new UserManager(settings);
    for (let round = 0; round < 3; round += 1) {
      const tabs = await Promise.all([first.signinSilent(), second.signinSilent()]);
      for (const tab of tabs) {
        expect(tab?.profile.sub).toBe(String(member.id));
        const answer = await fetch(`${issuer}/oauth/userinfo`, {
          headers: { authorization: `Bearer ${tab?.access_token}` },
        });
        expect(answer.status).toBe(200);
      }
    }
  });
});

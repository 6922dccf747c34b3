import type { RunningService, TestMember } from '@gatehouse/testkit';
import { Events, type MutableResponse, type MutableToken, OAuth2Server } from 'oauth2-mock-server';
import { z } from 'zod';
import { type PeopleWorld, startPeopleWorld } from './people-world.js';
import { createSocialBrowser, type SocialBrowser } from './social-browser.js';
import { insertTestDomain } from './test-sso.js';

export const DOMAIN = 'acme.example';

const withId = z.looseObject({ id: z.int(), key: z.string() });
const begun = z.object({ testId: z.int(), url: z.string() });
const signedIn = z.looseObject({ status: z.boolean(), token: z.string().optional() });

/** Who signs in at the identity provider next, and how it changes its answers. */
export interface Told {
  claims: Record<string, unknown>;
  /** Changes the payload of the ID token before it is signed. */
  change?: ((payload: Record<string, unknown>, header: Record<string, unknown>) => void) | undefined;
  /** Replaces the body of the token endpoint. */
  replace?: ((body: Record<string, unknown>) => Promise<void> | void) | undefined;
}

/** An identity provider of others, on this machine. */
export async function startIdentityProvider() {
  const provider = new OAuth2Server();
  await provider.issuer.keys.generate('RS256');
  await provider.start(0, '127.0.0.1');
  const told: Told = { claims: { sub: 'ada', email: `ada@${DOMAIN}` } };
  provider.service.on(Events.BeforeTokenSigning, (token: MutableToken) => {
    Object.assign(token.payload, told.claims);
    told.change?.(token.payload, token.header);
  });
  provider.service.on(Events.BeforeResponse, (response: MutableResponse) => {
    if (typeof response.body === 'object' && response.body !== null) void told.replace?.(response.body);
  });
  provider.service.on(Events.BeforeUserinfo, (response: MutableResponse) => {
    response.body = { ...told.claims };
  });
  return {
    provider,
    told,
    issuer: provider.issuer.url ?? '',
    [Symbol.asyncDispose]: () => provider.stop(),
  };
}

/** An account with a verified domain, and a connection with an identity provider that is on. */
export interface SsoWorld extends PeopleWorld {
  readonly idp: Awaited<ReturnType<typeof startIdentityProvider>>;
  readonly accountId: number;
  readonly owner: TestMember;
  readonly as: { readonly token: string; readonly accountId: number };
  readonly connectionId: number;
  readonly key: string;
  browser(on?: RunningService): SocialBrowser;
  /** Goes through the flow to the end; returns the query of the front end's address. */
  visit(start?: string, browser?: SocialBrowser): Promise<URLSearchParams>;
  /** Signs in by the flow; returns the token of the session. */
  signIn(claims?: Record<string, unknown>): Promise<string>;
  redeem(
    user: string | null,
  ): Promise<{ status: number; token: string | undefined; code: string | undefined }>;
  /** Tests the saved settings, and returns the result. */
  test(): Promise<{ testId: number; data: unknown }>;
  save(settings: object): Promise<void>;
  /** Tests and switches on. */
  activate(): Promise<void>;
}

export async function startSsoWorld(
  settings: object = {},
  env: Record<string, string> = {},
): Promise<SsoWorld> {
  const idp = await startIdentityProvider();
  const world = await startPeopleWorld(env);
  const { id: accountId, owner } = await world.account('Acme');
  const as = { token: owner.token, accountId };
  await insertTestDomain(world.db, { accountId, createdById: owner.id, domain: DOMAIN, isVerified: true });
  const made = await world.call(
    'sso.saveOidc',
    {
      name: 'Acme',
      issuer: idp.issuer,
      clientId: 'gatehouse',
      clientSecret: 'Anchor-Meadow-17',
      ...settings,
    },
    as,
  );
  const { id: connectionId, key } = withId.parse(made.data);
  const browser = (on = world.service) => createSocialBrowser(on);

  async function visit(start = `/sso/${key}/start`, by = browser()): Promise<URLSearchParams> {
    const { location } = await by.open(start);
    if (!location.startsWith(idp.issuer)) return new URL(location).searchParams;
    const consent = await fetch(location, { redirect: 'manual' });
    const back = await by.open(consent.headers.get('location') ?? '');
    return new URL(back.location).searchParams;
  }
  async function redeem(user: string | null) {
    const body = { tempLogin: true, token: user ?? '' };
    const response = await world.service.send('/webauthenticate', { body });
    const read = signedIn
      .extend({ error: z.object({ code: z.string() }).optional() })
      .parse(await response.json());
    return { status: response.status, token: read.token, code: read.error?.code };
  }
  async function test() {
    const { testId, url } = begun.parse((await world.call('sso.test', { connectionId }, as)).data);
    await visit(url);
    const response = await world.service.send(`/v1/sso/testResult?testId=${testId}`, as);
    return { testId, data: z.object({ data: z.unknown() }).parse(await response.json()).data };
  }
  const own: SsoWorld = {
    ...world,
    idp,
    accountId,
    owner,
    as,
    connectionId,
    key,
    browser,
    visit,
    redeem,
    test,
    async signIn(claims) {
      if (claims !== undefined) idp.told.claims = claims;
      const end = await visit();
      const { token } = await redeem(end.get('user'));
      if (token === undefined) throw new Error(`no sign-in: ${end.toString()}`);
      return token;
    },
    async save(changes) {
      const { status, code } = await world.call('sso.saveOidc', { connectionId, ...changes }, as);
      if (status !== 200) throw new Error(`not saved: ${code}`);
    },
    async activate() {
      await test();
      const { status, code } = await world.call('sso.activate', { connectionId }, as);
      if (status !== 200) throw new Error(`not activated: ${code}`);
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
  await own.activate();
  return own;
}

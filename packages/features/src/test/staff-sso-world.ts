import type { RunningService, TestMember, TestMemberOptions } from '@gatehouse/testkit';
import { z } from 'zod';
import { changeColumn } from './change-column.js';
import { type FactorAnswer, type FactorWorld, readAnswer, startFactorWorld } from './factor-world.js';
import { createSocialBrowser, type SocialBrowser } from './social-browser.js';
import { DOMAIN, startIdentityProvider } from './sso-world.js';

const saved = z.looseObject({ id: z.int(), key: z.string() });
const begun = z.object({ testId: z.int(), url: z.string() });

/** Both services, and a connection of the platform with an identity provider that is on. */
export interface StaffSsoWorld extends Omit<FactorWorld, 'signIn'> {
  readonly idp: Awaited<ReturnType<typeof startIdentityProvider>>;
  readonly root: TestMember;
  readonly connectionId: number;
  readonly key: string;
  /** Calls a procedure of the admin service, as root unless somebody is named. */
  ask(name: string, input: object, token?: string): Promise<FactorAnswer>;
  /** Staff with the address `<name>@acme.example`. */
  named(name: string, options?: TestMemberOptions): Promise<TestMember>;
  browser(on?: RunningService): SocialBrowser;
  /** Goes through the flow to the end; returns what follows the hash of the console's address, or its query. */
  visit(browser?: SocialBrowser, start?: string): Promise<URLSearchParams>;
  /** Redeems the token of a sign-in in a browser. */
  redeem(user: string | null, browser: SocialBrowser, on?: RunningService): Promise<FactorAnswer>;
  /** Signs in by the flow; returns the answer to its end. */
  enter(claims?: Record<string, unknown>): Promise<FactorAnswer>;
  /** The same for people who need no second step: the token of the session. */
  signIn(claims?: Record<string, unknown>): Promise<string>;
  /** Tests the saved settings; returns the result. */
  test(): Promise<unknown>;
  me(token: string, on?: RunningService): Promise<number>;
}

export const resultOf = (location: string): URLSearchParams => {
  const { hash, search } = new URL(location);
  return new URLSearchParams(hash === '' ? search : hash.slice(1));
};

export async function startStaffSsoWorld(env: Readonly<Record<string, string>> = {}): Promise<StaffSsoWorld> {
  const idp = await startIdentityProvider();
  const world = await startFactorWorld(env);
  const { admin, db } = world;
  const root = await world.member({ isPersonnel: true, roleType: 0 });
  const ask: StaffSsoWorld['ask'] = (name, input, token = root.token) =>
    world.call(name, input, { token, on: admin });
  const made = await ask('staffSso.saveOidc', {
    name: 'Works',
    issuer: idp.issuer,
    clientId: 'gatehouse',
    clientSecret: 'Anchor-Meadow-17',
    domains: [DOMAIN],
  });
  const { id: connectionId, key } = saved.parse(made.data);
  const browser = (on = admin) => createSocialBrowser(on);

  async function visit(by = browser(), start = `/sso/${key}/start`): Promise<URLSearchParams> {
    const { location } = await by.open(start);
    if (!location.startsWith(idp.issuer)) return resultOf(location);
    const consent = await fetch(location, { redirect: 'manual' });
    const back = await by.open(consent.headers.get('location') ?? '');
    return resultOf(back.location);
  }
  async function redeem(user: string | null, by: SocialBrowser, on = admin) {
    const cookie = [...by.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await on.send('/v1/signIn/token', {
      body: { token: user ?? '' },
      headers: cookie === '' ? {} : { cookie },
    });
    return readAnswer(response);
  }
  async function enter(claims?: Record<string, unknown>) {
    if (claims !== undefined) idp.told.claims = claims;
    const by = browser();
    return redeem((await visit(by)).get('user'), by);
  }
  async function test() {
    const { testId, url } = begun.parse((await ask('staffSso.test', { connectionId })).data);
    await visit(browser(), url);
    const response = await admin.send(`/v1/staffSso/testResult?testId=${testId}`, { token: root.token });
    return (await readAnswer(response)).data;
  }
  const own: StaffSsoWorld = {
    ...world,
    idp,
    root,
    connectionId,
    key,
    ask,
    async named(name, options = {}) {
      const member = await world.member({ isPersonnel: true, roleType: 6, ...options });
      for (const column of ['email', 'email_key', 'sid', 'sid_key'])
        await changeColumn(db, { table: 'members', column, id: member.id }, `${name}@${DOMAIN}`);
      return member;
    },
    browser,
    visit,
    redeem,
    enter,
    async signIn(claims) {
      const { data, body } = await enter(claims);
      if (typeof data['token'] !== 'string') throw new Error(`no sign-in: ${JSON.stringify(body)}`);
      return data['token'];
    },
    test,
    me: async (token, on = admin) => (await on.send('/auth/me', { token })).status,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await idp[Symbol.asyncDispose]();
    },
  };
  idp.told.claims = vouched('ada');
  await test();
  const { status, body } = await ask('staffSso.activate', { connectionId });
  if (status !== 200) throw new Error(`not activated: ${JSON.stringify(body)}`);
  return own;
}

/** The identity provider's claims about a person in its domain, whose address it vouches for. */
export const vouched = (name: string): Record<string, unknown> => ({
  sub: name,
  email: `${name}@${DOMAIN}`,
  email_verified: true,
});

import { findFreePort, type TestMember } from '@gatehouse/testkit';
import { expect } from 'vitest';
import { z } from 'zod';
import { createFormBrowser, type FormBrowser, type Page, pageText } from './form-browser.js';
import { type PeopleWorld, startPeopleWorld } from './people-world.js';
import { insertTestDomain } from './test-sso.js';

/** The verified domain of the account. */
export const PEER_DOMAIN = 'acme.example';

const connection = z.looseObject({
  id: z.int(),
  key: z.string(),
  startUrl: z.string(),
  oidc: z.looseObject({ redirectUri: z.string(), backchannelLogoutUri: z.string() }).nullable(),
  saml: z
    .looseObject({
      serviceEntityId: z.string(),
      acsUrl: z.string(),
      logoutUrl: z.string(),
      metadataProblem: z.string().nullable(),
      certificatesEndAt: z.array(z.string()),
    })
    .nullable(),
});

const begun = z.object({ testId: z.int(), url: z.string() });

const tested = z.object({
  data: z.object({
    state: z.string(),
    checks: z.array(z.object({ check: z.string(), passed: z.boolean(), detail: z.string().nullable() })),
    claims: z.record(z.string(), z.array(z.string())),
    mapping: z
      .looseObject({ subject: z.string(), email: z.string().nullable(), roleType: z.int() })
      .nullable(),
  }),
});

type Tested = z.output<typeof tested>['data'];

/** What somebody does in a browser at the pages of an identity provider, until it sends them back. */
export type AtProvider = (browser: FormBrowser, page: Page) => Promise<Page>;

/** The answer that a page of an identity provider by SAML sends us; undefined for another page. */
export function samlAnswerOn({ forms }: Page): string | undefined {
  const sent = forms.flatMap(({ fields }) => fields['SAMLResponse'] ?? [])[0];
  return sent === undefined ? undefined : Buffer.from(sent, 'base64').toString();
}

/** An account whose owner connects an identity provider of others: our service has an address that it can call. */
export interface PeerWorld extends AsyncDisposable {
  readonly world: PeopleWorld;
  readonly accountId: number;
  readonly owner: TestMember;
  readonly as: { readonly token: string; readonly accountId: number };
  /** Where the front end would be. */
  readonly appUrl: string;
  /** Saves a connection as its owner does, and then finds it by its id; returns the answer of the procedure. */
  save(procedure: 'sso.saveSaml' | 'sso.saveOidc', input: object): Promise<z.output<typeof connection>>;
  shown(): Promise<z.output<typeof connection>>;
  browser(): FormBrowser;
  /** Tests the connection in a new browser; returns what its owner sees. */
  test(at: AtProvider): Promise<Tested>;
  /** The first check that failed, with its detail. */
  failedTest(at: AtProvider): Promise<string>;
  activate(): Promise<void>;
  /** Begins a sign-in, and goes through it to the front end; returns the query of its address. */
  visit(at: AtProvider, browser?: FormBrowser): Promise<URLSearchParams>;
  /** Signs in to the end; returns the token of the session. */
  signIn(at: AtProvider, browser?: FormBrowser): Promise<string>;
  /** What the account answers to a session, on another node. */
  status(token: string): Promise<number>;
  /** Ends a session; returns where the browser goes to sign out of the identity provider. */
  signOut(token: string): Promise<string>;
}

export async function startPeerWorld(): Promise<PeerWorld> {
  const port = await findFreePort();
  const main = `http://127.0.0.1:${port}`;
  const world = await startPeopleWorld({ BASE_URL: main }, undefined, port);
  const appUrl = new URL(world.service.services.config.APP_URL).href;
  const { id: accountId, owner } = await world.account('Acme');
  const as = { token: owner.token, accountId };
  await insertTestDomain(world.db, {
    accountId,
    createdById: owner.id,
    domain: PEER_DOMAIN,
    isVerified: true,
  });
  let made: z.output<typeof connection> | undefined;

  function current(): z.output<typeof connection> {
    if (made === undefined) throw new Error('There is no connection yet');
    return made;
  }
  const newBrowser = () => createFormBrowser(new URL(appUrl).origin);

  async function walk(start: string, at: AtProvider, browser: FormBrowser): Promise<URLSearchParams> {
    const first = await browser.open(start);
    const last = first.url.origin === new URL(appUrl).origin ? first : await at(browser, first);
    if (last.url.origin !== new URL(appUrl).origin)
      throw new Error(`It ended at ${last.url.href}: ${pageText(last)}`);
    return last.url.searchParams;
  }

  const peer: PeerWorld = {
    world,
    accountId,
    owner,
    as,
    appUrl,
    async save(procedure, input) {
      const base = made === undefined ? { name: 'Acme', justInTime: true } : { connectionId: made.id };
      const { data, issues, code } = await world.call(procedure, { ...base, ...input }, as);
      expect([code, issues]).toEqual([undefined, []]);
      made = connection.parse(data);
      return made;
    },
    async shown() {
      const { data } = await world.call('sso.list', {}, as, { transport: 'trpc' });
      const { connections } = z.looseObject({ connections: z.array(connection) }).parse(data);
      const [first] = connections;
      if (first === undefined) throw new Error('There is no connection');
      return first;
    },
    browser: newBrowser,
    async test(at) {
      const answer = await world.call('sso.test', { connectionId: current().id }, as);
      const { testId, url } = begun.parse(answer.data);
      const query = await walk(url, at, newBrowser());
      expect(query.get('test')).toBe(String(testId));
      const result = await world.service.send(`/v1/sso/testResult?testId=${testId}`, as);
      return tested.parse(await result.json()).data;
    },
    async failedTest(at) {
      const { state, checks } = await peer.test(at);
      const failed = checks.find(({ passed }) => !passed);
      return `${state}: ${failed?.check ?? 'nothing'}: ${failed?.detail ?? ''}`;
    },
    async activate() {
      const { status, code } = await world.call('sso.activate', { connectionId: current().id }, as);
      expect([status, code]).toEqual([200, undefined]);
    },
    visit: (at, browser = newBrowser()) => walk(current().startUrl, at, browser),
    async signIn(at, browser) {
      const query = await peer.visit(at, browser);
      const body = { tempLogin: true, token: query.get('user') ?? '' };
      const response = await world.service.send('/webauthenticate', { body });
      const { token } = z.looseObject({ token: z.string().optional() }).parse(await response.json());
      if (token === undefined) throw new Error(`no sign-in: ${query.toString()}`);
      return token;
    },
    status: async (token) => (await world.other.send('/auth/me', { token, accountId })).status,
    async signOut(token) {
      const answer = await world.service.send('/auth/logout', { token, body: {} });
      return z.looseObject({ logoutUrl: z.string() }).parse(await answer.json()).logoutUrl;
    },
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
  return peer;
}

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inflateRawSync } from 'node:zlib';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import {
  findSsoConnectionByKey,
  type SsoConnection,
  setSsoConnection,
  writeAccountSso,
} from '@gatehouse/db/queries/sso-connections';
import type { RunningService } from '@gatehouse/testkit';
import { expect } from 'vitest';
import { z } from 'zod';
import { newSamlRequestId, type SamlPurpose } from '../sso/saml-sign-in.js';
import { type PeopleWorld, startPeopleWorld } from './people-world.js';
import {
  createSamlIdentityProvider,
  type SaidByIdp,
  type SamlIdentityProvider,
  saidByIdp,
} from './saml-identity-provider.js';
import { createSocialBrowser, type SocialBrowser } from './social-browser.js';
import { insertTestDomain } from './test-sso.js';

const DOMAIN = 'acme.example';

const saved = z.looseObject({ id: z.int(), key: z.string() });

/** What an address of an identity provider serves: a text with 200, or a status. */
export interface MetadataServer extends AsyncDisposable {
  readonly url: string;
  readonly reads: () => number;
  serve(answer: string | number): void;
}

export async function startMetadataServer(): Promise<MetadataServer> {
  let answer: string | number = 404;
  let reads = 0;
  const server = createServer((_, response) => {
    reads += 1;
    response.statusCode = typeof answer === 'number' ? answer : 200;
    response.end(typeof answer === 'number' ? '' : answer);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/metadata`,
    reads: () => reads,
    serve: (next) => {
      answer = next;
    },
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** An account with a connection by SAML that is on. */
export interface SamlWorld extends AsyncDisposable {
  readonly world: PeopleWorld;
  readonly accountId: number;
  readonly as: { readonly token: string; readonly accountId: number };
  readonly key: string;
  save(input: object): ReturnType<PeopleWorld['call']>;
  row(): Promise<SsoConnection>;
  /** Switches the connection on or off, without its test. */
  setLive(isLive: boolean): Promise<void>;
  urls(): { ourEntityId: string; acsUrl: string; logoutUrl: string };
  request(purpose?: SamlPurpose): string;
  /** A browser that went to the identity provider, and the id of its request. */
  begin(start?: string): Promise<{ requestId: string; browser: SocialBrowser }>;
  /** Sends a browser to the end of its sign-in; returns the query of the front end's address. */
  finish(browser: SocialBrowser, code: string | undefined): Promise<Record<string, string>>;
  said(requestId: string, changes?: Partial<SaidByIdp>): SaidByIdp;
  /** Sends a form to one of the addresses of the connection. */
  post(path: string, fields: Readonly<Record<string, string>>, on?: RunningService): Promise<Response>;
  readonly idp: SamlIdentityProvider;
}

export async function startSamlWorld({
  idp = createSamlIdentityProvider({ entityId: 'https://idp.acme.example/saml' }),
  metadataUrl,
  logoutUrl = 'https://idp.acme.example/slo',
  env,
}: {
  idp?: SamlIdentityProvider;
  metadataUrl?: string;
  logoutUrl?: string;
  env?: Readonly<Record<string, string>>;
} = {}): Promise<SamlWorld> {
  const world = await startPeopleWorld(env);
  const { id: accountId, owner } = await world.account();
  const as = { token: owner.token, accountId };
  const save = (input: object) => world.call('sso.saveSaml', input, as);
  const metadataXml = idp.metadata({ ssoUrl: 'https://idp.acme.example/sso', logoutUrl });
  await insertTestDomain(world.db, { accountId, createdById: owner.id, domain: DOMAIN, isVerified: true });
  const made = await save({
    name: 'Acme',
    justInTime: true,
    ...(metadataUrl === undefined ? { metadataXml } : { metadataUrl }),
  });
  expect(made.issues).toEqual([]);
  const { id, key } = saved.parse(made.data);
  const main = 'http://127.0.0.1:4000';
  const urls = {
    ourEntityId: `${main}/sso/saml/${key}/metadata`,
    acsUrl: `${main}/sso/saml/${key}/acs`,
    logoutUrl: `${main}/sso/saml/${key}/logout`,
  };

  async function row(): Promise<SsoConnection> {
    const found = await findSsoConnectionByKey(world.db, key);
    if (found === undefined) throw new Error('The connection is gone');
    return found;
  }

  const samlWorld: SamlWorld = {
    world,
    accountId,
    as,
    key,
    idp,
    save: (input) => save({ connectionId: id, ...input }),
    row,
    async setLive(isLive) {
      const { settings, secret, version } = await row();
      const live = isLive
        ? { live: settings, liveSecret: secret, liveVersion: version }
        : { live: null, liveSecret: null, liveVersion: null };
      await changeAccess(world.db, { accounts: [accountId] }, async (tx) => {
        await setSsoConnection(tx, { id, nowMs: Date.now(), testedVersion: version, ...live });
        await writeAccountSso(tx, { accountId, nowMs: Date.now() });
      });
    },
    urls: () => urls,
    request: (purpose = 'signIn') => newSamlRequestId(purpose),
    async begin(start = `/sso/${key}/start`) {
      const browser = createSocialBrowser(world.service);
      const { location } = await browser.open(start);
      const sent = new URL(location).searchParams.get('SAMLRequest') ?? '';
      const xml = inflateRawSync(Buffer.from(sent, 'base64')).toString();
      return { browser, requestId: / ID="([^"]+)"/.exec(xml)?.[1] ?? '' };
    },
    async finish(browser, code) {
      const { location } = await browser.open(`/sso/${key}/finish?code=${code ?? ''}`);
      return Object.fromEntries(new URL(location).searchParams);
    },
    said: (requestId, changes = {}) => ({
      ...saidByIdp(idp, { ...urls, requestId, nowMs: world.service.services.now() }),
      attributes: { email: [`ada@${DOMAIN}`], groups: ['engineers'] },
      ...changes,
    }),
    post: (path, fields, on = world.service) =>
      fetch(`${on.url}/sso/saml/${key}/${path}`, {
        method: 'POST',
        body: new URLSearchParams(fields),
        redirect: 'manual',
        headers: { origin: 'https://idp.acme.example' },
      }),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
  await samlWorld.setLive(true);
  return samlWorld;
}

import { makeOpaqueToken, randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  type ApplicationFields,
  insertApplication,
  insertApplicationSecret,
} from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import type { RunningService } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { startAccessTokenWorld } from './access-token-world.js';

export const CALLBACK = 'https://wiki.example.com/callback';

export interface TestApplication {
  readonly id: number;
  readonly clientId: string;
  readonly secret: string;
}

interface Person {
  readonly token: string;
}

/** The services, and applications of others, played by a client library that others wrote. */
export async function startOauthWorld(
  now: () => number = Date.now,
  env: Readonly<Record<string, string>> = {},
  port?: number,
) {
  // Without the portal, people are told to sign in at the page where they are.
  const world = await startAccessTokenWorld({
    env: { PORTAL: 'off', ...env },
    now,
    ...(port === undefined ? {} : { port }),
  });
  const { main, db } = world;
  return {
    ...world,
    baseUrl: main.services.config.BASE_URL,
    application: (fields: Partial<ApplicationFields> & { accountId?: number | null } = {}) =>
      insertApplicationWithSecret(db, fields),
    client: (application: TestApplication, on: RunningService = main) => openClient(on, application),
    browser: (person: Person | undefined, on: RunningService = main) => openBrowserLike(on, person),
  };
}

export type OauthWorld = Awaited<ReturnType<typeof startOauthWorld>>;

async function insertApplicationWithSecret(
  db: Database,
  { accountId = null, ...fields }: Partial<ApplicationFields> & { accountId?: number | null },
): Promise<TestApplication> {
  const secret = makeOpaqueToken('clientSecret');
  const clientId = randomId();
  const nowMs = Date.now();
  const id = await changeAccess(db, {}, async (tx) => {
    const applicationId = await insertApplication(tx, {
      clientId,
      accountId,
      createdById: 1,
      name: 'Wiki',
      type: 'web',
      redirectUris: [CALLBACK],
      postLogoutRedirectUris: ['https://wiki.example.com/'],
      backchannelLogoutUri: null,
      jwks: null,
      jwksUri: null,
      scopes: ['openid', 'profile', 'email', 'accounts', 'account', 'offline_access'],
      resources: [],
      subjectType: 'public',
      active: true,
      machineId: null,
      skipConsent: false,
      pkceExempt: false,
      ...fields,
      nowMs,
    });
    const row = { applicationId, start: secret.slice(0, 12), createdById: 1, createdAtMs: nowMs };
    await insertApplicationSecret(tx, { ...row, digest: sha256Hex(secret) });
    return applicationId;
  });
  return { id, clientId, secret };
}

/** Its own address is known only after listening, so requests to BASE_URL go there. */
export const at = (on: RunningService, url: string) => url.replace(on.services.config.BASE_URL, on.url);

/** An application: its configuration as the library discovered it, and the parameters of its sign-ins. */
async function openClient(on: RunningService, { clientId, secret }: TestApplication) {
  const config = await oauth.discovery(
    new URL(on.services.config.BASE_URL),
    clientId,
    { client_secret: secret },
    oauth.ClientSecretBasic(secret),
    {
      // oxlint-disable-next-line typescript/no-deprecated -- the services of tests have no TLS
      execute: [oauth.allowInsecureRequests],
      [oauth.customFetch]: (url, options) => fetch(at(on, url), options as RequestInit),
    },
  );
  const begin = async (parameters: Record<string, string> = {}) => {
    const verifier = oauth.randomPKCECodeVerifier();
    const state = oauth.randomState();
    const url = oauth.buildAuthorizationUrl(config, {
      redirect_uri: CALLBACK,
      scope: 'openid profile email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      ...parameters,
    });
    return {
      url: url.href,
      finish: (callback: string) =>
        oauth.authorizationCodeGrant(config, new URL(callback), {
          pkceCodeVerifier: verifier,
          expectedState: state,
        }),
    };
  };
  return { config, begin };
}

/** The fields of a form, several values for boxes of one name. */
type Form = Readonly<Record<string, string | readonly string[]>>;

function bodyOf(form: Form): URLSearchParams {
  const sent = Object.entries(form).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(sent);
}

/** A browser without scripts that has a person's session: it follows redirects, and keeps cookies. */
function openBrowserLike(on: RunningService, person: Person | undefined) {
  const { cookies, config } = on.services;
  const jar = new Map<string, string>();
  if (person !== undefined) jar.set(cookies.name, person.token);

  async function send(url: string, form?: Form): Promise<Response> {
    const response = await fetch(at(on, url), {
      redirect: 'manual',
      headers: {
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        accept: 'text/html',
        ...(form ? { origin: config.BASE_URL } : {}),
      },
      ...(form ? { method: 'POST', body: bodyOf(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const mark = pair.indexOf('=');
      if (/max-age=0|expires=thu, 01 jan 1970/i.test(line)) jar.delete(pair.slice(0, mark));
      else jar.set(pair.slice(0, mark), pair.slice(mark + 1));
    }
    return response;
  }

  /** Follows redirects within the service. Returns the page, or the address outside to which it was sent. */
  async function visit(url: string, form?: Form) {
    let here = url;
    let response = await send(here, form);
    for (let hops = 0; hops < 10; hops += 1) {
      // Forms lead on by a page, without scripts.
      const to =
        response.headers.get('location') ?? response.headers.get('refresh')?.replace('0;url=', '') ?? null;
      if (to === null) return { url: here, status: response.status, page: await response.text(), response };
      here = new URL(to, here.startsWith('http') ? here : config.BASE_URL).href;
      if (!here.startsWith(config.BASE_URL))
        return { url: here, status: response.status, page: '', response };
      response = await send(here);
    }
    throw new Error('The service redirects in circles');
  }

  return { jar, send, visit };
}

/** Signs a person in to an application, agreeing to what it asks for. */
export async function signInThrough(
  world: OauthWorld,
  application: TestApplication,
  person: Person,
  {
    parameters = {},
    account,
    scopes = [],
  }: { parameters?: Record<string, string>; account?: number; scopes?: readonly string[] } = {},
) {
  const client = await world.client(application);
  const browser = world.browser(person);
  const begun = await client.begin(parameters);
  const { baseUrl } = world;
  let there = await browser.visit(begun.url);
  if (there.url.startsWith(baseUrl))
    there = await browser.visit(there.url, {
      ...(account === undefined ? {} : { account: String(account) }),
      scopes,
    });
  return { client, browser, tokens: await begun.finish(there.url), begun, callback: there.url };
}

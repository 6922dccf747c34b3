import { randomId, sha256Hex } from '@gatehouse/auth-core';
import { takeSsoResult } from '@gatehouse/db/queries/saml';
import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { findSsoRun } from '@gatehouse/db/queries/sso-runs';
import type { SamlSettings } from '@gatehouse/db/tables/sso-tables';
import { z } from 'zod';
import type { Services } from '../core/context.js';
import { ownSamlKeys } from './saml-keys.js';
import { signInUrl } from './saml-requests.js';
import { samlUrls } from './serve-saml-metadata.js';
import { SAML_CHECKS } from './verify-saml-response.js';

export type SamlPurpose = 'test' | 'signIn';

const PREFIXES: Readonly<Record<SamlPurpose, string>> = { test: '_t', signIn: '_s' };

/** A new id of a request, which tells our ACS which settings the response is for. Only its browser knows that it is genuine. */
export function newSamlRequestId(purpose: SamlPurpose): string {
  return `${PREFIXES[purpose]}${randomId()}`;
}

/** The purpose of a request, by its id; undefined for an id that is not of our form. */
export function purposeOfRequest(id: string): SamlPurpose | undefined {
  if (!/^_[st][0-9a-f]{32}$/.test(id)) return undefined;
  return id.startsWith(PREFIXES.test) ? 'test' : 'signIn';
}

/** The settings of a connection that a flow is about, with the keys; undefined if people do not sign in through it. */
export function samlSettingsFor(
  row: SsoConnection,
  purpose: SamlPurpose,
): { readonly settings: SamlSettings; readonly version: number; readonly secret: string | null } | undefined {
  const { settings, version, secret, live, liveVersion, liveSecret } = row;
  const chosen =
    purpose === 'test'
      ? { settings, version, secret }
      : { settings: live, version: liveVersion, secret: liveSecret };
  return chosen.settings?.kind === 'saml' && chosen.version !== null
    ? { settings: chosen.settings, version: chosen.version, secret: chosen.secret }
    : undefined;
}

/** Where a browser goes to sign in at the identity provider of a connection; undefined if people do not sign in through it. */
export function samlSignInUrl(
  services: Services,
  row: SsoConnection,
  { requestId, forceLogin }: { requestId: string; forceLogin: boolean },
): string | undefined {
  const chosen = samlSettingsFor(row, purposeOfRequest(requestId) ?? 'signIn');
  if (chosen === undefined) return undefined;
  const [own] = ownSamlKeys(services, { key: row.key, secret: chosen.secret });
  if (own === undefined) return undefined;
  const { entityId, acsUrl } = samlUrls(services, row);
  return signInUrl(
    { entityId, privateKey: own.privateKey },
    { url: chosen.settings.ssoUrl, id: requestId, nowMs: services.now(), acsUrl, forceLogin },
  );
}

const storedResult = z.object({
  requestId: z.string(),
  verdicts: z.array(
    z.object({ check: z.enum(SAML_CHECKS), passed: z.boolean(), problem: z.string().optional() }),
  ),
  claims: z
    .object({
      nameId: z.string(),
      nameIdFormat: z.string().nullable(),
      nameQualifier: z.string().nullable(),
      spNameQualifier: z.string().nullable(),
      sessionIndex: z.string().nullable(),
      sessionEndsAtMs: z.number().nullable(),
      attributes: z.record(z.string(), z.array(z.string()).readonly()),
    })
    .nullable(),
});

/** The content of a response: the verdict of each check, and the claims if all are good. */
export type SamlResult = z.output<typeof storedResult>;

/** The encryption context of results. */
export const samlResultContext = (key: string): string => `samlResult:${key}`;

export const samlCodeKey = (code: string): string => sha256Hex(`samlResult:${code}`);

/**
 * Takes the content of a response, for the browser whose request it answers. Undefined if there is none, if it was taken, or if
 * it answers the request of another browser.
 */
export async function takeSamlResult(
  services: Pick<Services, 'db' | 'cipher' | 'now'>,
  row: Pick<SsoConnection, 'id' | 'key'>,
  { code, requestId }: { code: string; requestId: string },
): Promise<(SamlResult & { readonly version: number }) | undefined> {
  const of = { connectionId: row.id, codeKey: samlCodeKey(code), nowMs: services.now() };
  const taken = await takeSsoResult(services.db, of);
  if (taken === undefined) return undefined;
  const text = services.cipher.open(taken.payload, samlResultContext(row.key));
  const result = storedResult.parse(JSON.parse(text));
  return result.requestId === requestId ? { ...result, version: taken.version } : undefined;
}

/** The request that a stored response answers, without taking the response: it leads to the cookie of the browser. */
export async function findSamlRequest(
  { db, cipher, now }: Pick<Services, 'db' | 'cipher' | 'now'>,
  row: Pick<SsoConnection, 'id' | 'key'>,
  code: string,
): Promise<string | undefined> {
  const of = { codeKey: samlCodeKey(code), connectionId: row.id, nowMs: now() };
  const run = await findSsoRun(db, { ...of, purpose: 'result' });
  const payload = run?.payload ?? null;
  if (payload === null) return undefined;
  return storedResult.parse(JSON.parse(cipher.open(payload, samlResultContext(row.key)))).requestId;
}

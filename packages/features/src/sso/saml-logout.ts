import { AppError, randomId, sha256Hex } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { insertUsedMessage } from '@gatehouse/db/queries/saml';
import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import type { SsoLoginsOf } from '@gatehouse/db/queries/sso-logins';
import { findSsoSubject } from '@gatehouse/db/queries/sso-subjects';
import type { SamlSettings } from '@gatehouse/db/tables/sso-tables';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { endProviderSessions } from './end-provider-sessions.js';
import { lookAtMetadata } from './look-at-metadata.js';
import {
  type LogoutRequest,
  readLogoutFromForm,
  readLogoutFromQuery,
  readLogoutQuery,
} from './read-logout-request.js';
import { hasSameKeys, limitSamlMessages, MAX_FORM_BYTES, seeOther } from './saml-acs.js';
import { readSamlKey } from './saml-key.js';
import { ownSamlKeys } from './saml-keys.js';
import { type SamlSubject, signedOutUrl, signOutUrl } from './saml-requests.js';
import { samlSettingsFor } from './saml-sign-in.js';
import { SignatureRefused } from './saml-signature.js';
import { XmlRefused } from './saml-xml.js';
import { requireSamlConnection, samlParams, samlUrls } from './serve-saml-metadata.js';
import { findServedConnection } from './served-connection.js';
import { signedOutAt, subjectKeyOf } from './sso-claims.js';

/** Requests that one identity provider has signed. */
const REQUESTS_A_MINUTE = 600;

const logoutForm = z.object({
  SAMLRequest: z.string().min(1).optional(),
  SAMLResponse: z.string().min(1).optional(),
  RelayState: z.string().max(1_000).optional(),
});

const about = {
  tag: 'pages',
  params: samlParams,
  answers: {
    303: {
      description: 'To the identity provider with our signed answer, or to the front end',
      headers: { Location: 'Where the browser goes on' },
    },
  },
  refuses: [
    'not_found',
    'invalid_input',
    'invalid_signature',
    'payload_too_large',
    'unsupported_media_type',
    'rate_limited',
    'unavailable',
  ],
} as const;

/** Ends sessions for an identity provider that signs its request, and accepts its answers to ours. */
export const samlLogout = {
  get: {
    summary: 'Signs out for an identity provider, by the redirect binding',
    about: {
      ...about,
      query: z.object({
        SAMLRequest: z.string().optional(),
        SAMLResponse: z.string().optional(),
        RelayState: z.string().optional(),
        SigAlg: z.string().optional(),
        Signature: z.string().optional(),
      }),
    },
    async handle(exchange) {
      const { request, params, ctx } = exchange;
      await limitSamlMessages(ctx);
      const row = await requireSamlConnection(ctx.services, params);
      const [, search = ''] = /\?(.*)$/s.exec(request.url ?? '') ?? [];
      const query = refusing(() => readLogoutQuery(search));
      await signOut(exchange, row, {
        relayState: query.relayState,
        read: query.field === 'SAMLRequest' ? (expected) => readLogoutFromQuery(query, expected) : undefined,
      });
    },
  },
  post: {
    summary: 'Signs out for an identity provider, by the POST binding',
    about: { ...about, body: { types: ['application/x-www-form-urlencoded'], schema: logoutForm } },
    async handle(exchange) {
      const { request, response, params, ctx } = exchange;
      await limitSamlMessages(ctx);
      const row = await requireSamlConnection(ctx.services, params);
      const fields = await bodyFields(request, response, { form: true, maxBytes: MAX_FORM_BYTES });
      const { SAMLRequest: asked, SAMLResponse: answered, RelayState: relayState } = logoutForm.parse(fields);
      if ((asked === undefined) === (answered === undefined)) throw new AppError('invalid_input');
      await signOut(exchange, row, {
        relayState,
        read: asked === undefined ? undefined : (expected) => readLogoutFromForm(asked, expected),
      });
    },
  },
} satisfies Readonly<Record<string, RawEndpoint<Context>>>;

type Expected = Parameters<typeof readLogoutFromForm>[1];

/** Ends the sessions that a request names. Answers to our own requests change nothing: the session here was over before. */
async function signOut(
  exchange: RawExchange<Context>,
  row: SsoConnection,
  {
    relayState,
    read,
  }: { relayState: string | undefined; read: ((expected: Expected) => LogoutRequest) | undefined },
): Promise<void> {
  const { services } = exchange.ctx;
  const home = signedOutAt(services, row);
  if (read === undefined) {
    seeOther(exchange, home);
    return;
  }
  const { request, settings, secret } = await readByKnownKeys(services, row, read);
  await enforceLimit(services, {
    key: `saml-logouts:${row.id}`,
    name: 'saml-logouts',
    most: REQUESTS_A_MINUTE,
    windowMs: 60_000,
  });
  await endSessions(exchange.ctx, row, { request, settings });
  const [own] = ownSamlKeys(services, { key: row.key, secret });
  const url = settings.logoutAnswerUrl;
  if (own === undefined || url === null) {
    seeOther(exchange, home);
    return;
  }
  const { entityId } = samlUrls(services, row);
  const answer = { url, id: `_${randomId()}`, nowMs: services.now(), requestId: request.id, relayState };
  seeOther(exchange, signedOutUrl({ entityId, privateKey: own.privateKey }, answer));
}

/** @throws {AppError} `invalid_input` for a message that cannot be read, `invalid_signature` */
function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof SignatureRefused) throw new AppError('invalid_signature', { cause: error });
    if (error instanceof XmlRefused)
      throw new AppError('invalid_input', { issues: [{ path: '', message: error.message }] });
    throw error;
  }
}

async function readByKnownKeys(
  services: Services,
  row: SsoConnection,
  read: (expected: Expected) => LogoutRequest,
): Promise<{ request: LogoutRequest; settings: SamlSettings; secret: string | null }> {
  const attempt = (of: SsoConnection) => {
    const live = samlSettingsFor(of, 'signIn');
    if (live === undefined) throw new AppError('not_found');
    const { settings, secret } = live;
    const keys = settings.certificates.flatMap((each) => readSamlKey(each)?.publicKey ?? []);
    const { logoutUrl } = samlUrls(services, of);
    return {
      request: read({ issuer: settings.entityId, logoutUrl, keys, nowMs: services.now() }),
      settings,
      secret,
    };
  };
  try {
    return attempt(row);
  } catch (error) {
    const isUnknownKey = error instanceof SignatureRefused && (await lookAtMetadata(services, row));
    const now = isUnknownKey ? await findServedConnection(services, row.key) : undefined;
    return refusing(() => {
      if (now === undefined || hasSameKeys(row, now, 'signIn')) throw error;
      return attempt(now);
    });
  }
}

/** Ends the sessions that a request names. Once it was used it changes nothing, and the answer is the same. */
async function endSessions(
  ctx: Context,
  row: SsoConnection,
  { request, settings }: { request: LogoutRequest; settings: SamlSettings },
): Promise<void> {
  const { id: connectionId, accountId } = row;
  const { id, nameId, sessionIndexes, usableUntilMs: expiresAtMs } = request;
  const subjectKey = subjectKeyOf(settings, nameId);
  const subject = await findSsoSubject(ctx.services.db, { connectionId, subjectKey });
  const providerSessionKeys = sessionIndexes.map((index) => samlSessionKey(nameId, index));
  const of: SsoLoginsOf | undefined =
    sessionIndexes.length > 0
      ? { connectionId, providerSessionKeys }
      : subject && { connectionId, subjectId: subject.id };
  const codeKey = sha256Hex(`samlLogout:${connectionId}:${id}`);
  try {
    await endProviderSessions(ctx, row, {
      of,
      named: subject?.memberId,
      async take(tx, nowMs) {
        await insertUsedMessage(tx, { connectionId, accountId, codeKey, nowMs, expiresAtMs });
        return true;
      },
    });
  } catch (error) {
    if (!(error instanceof DuplicateKeyError)) throw error;
  }
}

/**
 * Where a browser ends its session at the identity provider; undefined if that is not known. The address is signed, and is valid
 * for minutes.
 */
export function samlSignOutUrl(
  services: Pick<Services, 'cipher' | 'config' | 'now'>,
  row: SsoConnection,
  subject: SamlSubject,
): string | undefined {
  const live = samlSettingsFor(row, 'signIn');
  const [own] = live === undefined ? [] : ownSamlKeys(services, { key: row.key, secret: live.secret });
  const url = live?.settings.logoutUrl ?? null;
  if (own === undefined || url === null) return undefined;
  const { entityId } = samlUrls(services, row);
  const to = { url, id: `_${randomId()}`, nowMs: services.now(), subject };
  return signOutUrl({ entityId, privateKey: own.privateKey }, to);
}

/** The key by which a session of an identity provider is found. */
export function samlSessionKey(nameId: string, sessionIndex: string | null): string {
  return sha256Hex(JSON.stringify(['samlSession', nameId, sessionIndex]));
}

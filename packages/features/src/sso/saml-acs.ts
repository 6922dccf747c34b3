import { isDeepStrictEqual } from 'node:util';
import { AppError, type ErrorCode, randomId, sha256Hex } from '@gatehouse/auth-core';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertSsoResult, insertUsedMessage } from '@gatehouse/db/queries/saml';
import type { SsoConnection } from '@gatehouse/db/queries/sso-connections';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import type { Context, Services } from '../core/context.js';
import { limitPerAddress } from '../core/rate-limit/count-attempt.js';
import { frontEndUrl } from '../social/begin-social-sign-in.js';
import { connectionUrls } from './connection-view.js';
import { lookAtMetadata } from './look-at-metadata.js';
import { readSamlKey } from './saml-key.js';
import { ownSamlKeys } from './saml-keys.js';
import {
  purposeOfRequest,
  type SamlPurpose,
  type SamlResult,
  samlCodeKey,
  samlResultContext,
  samlSettingsFor,
} from './saml-sign-in.js';
import { XmlRefused } from './saml-xml.js';
import { requireSamlConnection, samlParams, samlUrls } from './serve-saml-metadata.js';
import { findServedConnection } from './served-connection.js';
import { claimedRequestId, type VerifiedSamlResponse, verifySamlResponse } from './verify-saml-response.js';

/** A form with 96 kB in Base64, escaped. */
export const MAX_FORM_BYTES = 400_000;

/** How long a browser has to come with the code of its response. */
const CODE_LIFE_MS = 60_000;

/** Failed answers are kept for the tests of owners, who send few. */
const FAILURES_A_MINUTE = 30;

/** A text of a form: the one field that is needed, once. */
export const samlForm = z.object({ SAMLResponse: z.string().min(1) });

/**
 * Takes the response of an identity provider, which a cross-site POST brings without the cookie of its browser. So it proves
 * nothing yet: its content waits under a code for the browser that asked.
 */
export const samlAcs: RawEndpoint<Context> = {
  summary: 'Takes the answer of an identity provider by SAML',
  about: {
    tag: 'pages',
    params: samlParams,
    body: { types: ['application/x-www-form-urlencoded'], schema: samlForm },
    answers: {
      303: {
        description: 'To the end of the sign-in, or to the front end with the reason for none',
        headers: { Location: 'Where the browser goes on' },
      },
    },
    refuses: [
      'not_found',
      'invalid_input',
      'payload_too_large',
      'unsupported_media_type',
      'rate_limited',
      'unavailable',
    ],
  },
  async handle(exchange) {
    const { request, response, params, ctx } = exchange;
    await limitSamlMessages(ctx);
    const row = await requireSamlConnection(ctx.services, params);
    const fields = await bodyFields(request, response, { form: true, maxBytes: MAX_FORM_BYTES });
    const { SAMLResponse: sent } = samlForm.parse(fields);
    seeOther(exchange, await receive(exchange, row, sent));
  },
};

const WINDOW_MS = 15 * 60_000;

/** Counts a message that a browser brings, before it is read. */
export async function limitSamlMessages(ctx: Context): Promise<void> {
  const most = ctx.services.config.SOCIAL_VISITS_PER_ADDRESS;
  await limitPerAddress(ctx, { name: 'sso-saml', most, windowMs: WINDOW_MS });
}

/** Redirects a browser with a GET, whatever method it used. */
export function seeOther({ response }: Pick<RawExchange<Context>, 'response'>, location: string): void {
  response.statusCode = 303;
  response.setHeader('Location', location);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Length', 0);
  response.end();
}

/** Where the browser continues. */
async function receive({ ctx }: RawExchange<Context>, row: SsoConnection, sent: string): Promise<string> {
  const { services } = ctx;
  const urls = connectionUrls(services, row);
  const requestId = readRequestId(sent);
  if (requestId === null) {
    const { live } = row;
    if (live?.kind === 'saml' && live.allowIdpInitiated) return urls.start;
    return failed(ctx, 'idp_initiated');
  }
  const purpose = purposeOfRequest(requestId);
  if (purpose === undefined) return failed(ctx, 'provider_failed', 'inResponseTo');
  const judged = await judge(services, row, { sent, requestId, purpose });
  if (judged === undefined) return failed(ctx, 'provider_failed', 'off');
  const { verified, verdicts } = judged;
  const problem = verdicts.find(({ passed }) => !passed)?.check;
  if (purpose === 'signIn' && verified === null)
    return failed(ctx, problem === 'status' ? 'access_denied' : 'provider_failed', problem);
  if (verified === null)
    await enforceLimit(services, {
      key: `saml-failures:${row.id}`,
      name: 'saml-failures',
      most: FAILURES_A_MINUTE,
      windowMs: 60_000,
    });
  const result = { requestId, verdicts: [...verdicts], claims: verified?.claims ?? null };
  const code = await store(services, row, { result, verified, version: judged.version });
  return code === undefined ? failed(ctx, 'provider_failed', 'used') : `${urls.finish}?code=${code}`;
}

/** @throws {AppError} `invalid_input` for a text that cannot be read */
function readRequestId(sent: string): string | null {
  try {
    return claimedRequestId(sent);
  } catch (error) {
    if (!(error instanceof XmlRefused)) throw error;
    throw new AppError('invalid_input', { issues: [{ path: 'SAMLResponse', message: error.message }] });
  }
}

function failed({ services, call }: Context, code: ErrorCode, check?: string): string {
  const { requestId, address } = call;
  const reason = check === undefined ? code : `saml_${check}`;
  services.log.security({ event: 'login.failed', requestId, address, reason });
  return frontEndUrl(services, { error: code });
}

interface Answer {
  readonly sent: string;
  readonly requestId: string;
  readonly purpose: SamlPurpose;
}

type Judged = ReturnType<typeof verifySamlResponse> & { readonly version: number };

/** The results of the checks, with the current keys or, if none of those made the signature, after a new fetch. */
async function judge(services: Services, row: SsoConnection, answer: Answer): Promise<Judged | undefined> {
  const first = judgeByKnownKeys(services, row, answer);
  const isUnknownKey = first?.verdicts.some(({ check, passed }) => check === 'signature' && !passed);
  if (isUnknownKey !== true || !(await lookAtMetadata(services, row))) return first;
  const now = await findServedConnection(services, row.key);
  if (now === undefined) return undefined;
  return hasSameKeys(row, now, answer.purpose) ? first : judgeByKnownKeys(services, now, answer);
}

/** Whether the identity provider's keys are the same in both rows. Checking a message again would then give the same verdict. */
export function hasSameKeys(before: SsoConnection, now: SsoConnection, purpose: SamlPurpose): boolean {
  const keys = [before, now].map((row) => samlSettingsFor(row, purpose)?.settings.certificates);
  return isDeepStrictEqual(keys[0], keys[1]);
}

function judgeByKnownKeys(
  services: Services,
  row: SsoConnection,
  { sent, requestId, purpose }: Answer,
): Judged | undefined {
  const chosen = samlSettingsFor(row, purpose);
  if (chosen === undefined) return undefined;
  const { entityId, acsUrl } = samlUrls(services, row);
  const own = ownSamlKeys(services, { key: row.key, secret: chosen.secret });
  const judged = verifySamlResponse(sent, {
    ourEntityId: entityId,
    acsUrl,
    issuer: chosen.settings.entityId,
    keys: chosen.settings.certificates.flatMap((each) => readSamlKey(each)?.publicKey ?? []),
    decryptionKeys: own.map(({ privateKey }) => privateKey),
    requestId,
    nowMs: services.now(),
  });
  return { ...judged, version: chosen.version };
}

/** Stores a result under a code. Undefined if its assertion was used before. */
async function store(
  { db, cipher, now }: Services,
  { id: connectionId, accountId, key }: SsoConnection,
  {
    result,
    verified,
    version,
  }: { result: SamlResult; verified: VerifiedSamlResponse | null; version: number },
): Promise<string | undefined> {
  const code = randomId(32);
  const nowMs = now();
  const of = { connectionId, accountId, nowMs };
  try {
    await changeAccess(db, {}, async (tx) => {
      if (verified !== null) {
        const codeKey = sha256Hex(`samlAssertion:${connectionId}:${verified.assertionId}`);
        await insertUsedMessage(tx, { ...of, codeKey, expiresAtMs: verified.usableUntilMs });
      }
      await insertSsoResult(tx, {
        ...of,
        version,
        codeKey: samlCodeKey(code),
        payload: cipher.seal(JSON.stringify(result), samlResultContext(key)),
        expiresAtMs: nowMs + CODE_LIFE_MS,
      });
    });
    return code;
  } catch (error) {
    if (error instanceof DuplicateKeyError) return undefined;
    throw error;
  }
}

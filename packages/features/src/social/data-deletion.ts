import { createHmac, timingSafeEqual } from 'node:crypto';
import { AppError, emailKey, randomId, sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { findDeletionRequest, recordDeletion, removeIdentity } from '@gatehouse/db/queries/social-deletions';
import { escapeHtml, pageAbout } from '@gatehouse/http/pages/html-page';
import { sendJson } from '@gatehouse/http/rest/reply';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import { recordAudit } from '../audit/record-audit.js';
import { visitorLocale } from '../core/accepted-locale.js';
import type { Context } from '../core/context.js';
import { facebook } from '../core/social-providers/facebook.js';
import { pageWords } from '../pages/page-words.js';
import { sendProductPage } from '../pages/product-page.js';
import { findConfiguredProvider, mainUrl } from './configured-provider.js';
import { identitySid } from './proven-identity.js';

const BASE64URL = /^[A-Za-z0-9_-]+$/;
const LONGEST = 8192;
const algorithm = z.looseObject({ algorithm: z.literal('HMAC-SHA256') });

/**
 * Opens a signed request of Facebook: `base64url(HMAC-SHA256(secret, payload)).payload`, where the payload is
 * JSON in base64url and names its algorithm. It compares the signature in constant time before reading the
 * payload.
 * @returns the payload; undefined for one that is malformed, tampered with, or of another algorithm.
 */
export function openSignedRequest(
  text: string,
  secret: string,
): Readonly<Record<string, unknown>> | undefined {
  const [signature = '', payload = '', ...rest] = text.split('.');
  if (text.length > LONGEST || rest.length > 0) return undefined;
  if (!BASE64URL.test(signature) || !BASE64URL.test(payload)) return undefined;
  const expected = createHmac('sha256', secret).update(payload).digest();
  const given = Buffer.from(signature, 'base64url');
  // Another encoding of the same bytes would differ in base64's unused bits.
  const isCanonical = given.toString('base64url') === signature;
  if (given.length !== expected.length || !isCanonical || !timingSafeEqual(given, expected)) return undefined;
  const parsed = algorithm.safeParse(readJson(Buffer.from(payload, 'base64url').toString('utf8')));
  return parsed.success ? parsed.data : undefined;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const payload = z.object({
  user_id: z.union([z.string().min(1).max(200), z.number().int().positive().transform(String)]),
});

/**
 * Deletes Facebook's data about a person, on its signed request. Repeating it is harmless and returns the same
 * code, which reveals nothing about the person.
 */
export const deleteData: RawEndpoint<Context> = {
  summary: 'Deletes what Facebook told about a person',
  about: {
    tag: 'webhooks',
    body: {
      types: ['application/x-www-form-urlencoded', 'application/json'],
      schema: z.object({ signed_request: z.string() }),
    },
    answers: {
      200: {
        description: 'It is deleted',
        content: { 'application/json': z.object({ url: z.url(), confirmation_code: z.string() }) },
      },
    },
    refuses: [
      'invalid_signature',
      'invalid_input',
      'provider_not_configured',
      'payload_too_large',
      'unsupported_media_type',
      'unavailable',
    ],
  },
  handle: deleteAll,
};

/** A page that shows the status of a deletion to the holder of its code. */
export const deletionStatus: RawEndpoint<Context> = {
  summary: 'Tells what became of such a deletion',
  about: pageAbout({
    tag: 'pages',
    description: 'When it was deleted',
    params: { code: z.string().max(200) },
    refuses: ['not_found', 'unavailable'],
  }),
  handle: showStatus,
};

async function deleteAll({ request, response, ctx }: RawExchange<Context>): Promise<void> {
  const { services } = ctx;
  const configured = findConfiguredProvider(services.config, facebook);
  if (!configured) throw new AppError('provider_not_configured');
  const { signed_request: signed } = await bodyFields(request, response, { form: true });
  const opened = typeof signed === 'string' ? openSignedRequest(signed, configured.clientSecret) : undefined;
  const parsed = payload.safeParse(opened);
  if (!parsed.success) throw new AppError('invalid_signature');

  const { providerId } = facebook;
  const providerUserId = parsed.data.user_id;
  const sid = identitySid({ providerId, profile: { providerUserId } });
  const sidKey = emailKey(sid);
  const nowMs = services.now();
  const known = await findCredential(services.db, sidKey);
  const members = known?.sid === sid ? [known.id] : [];
  const code = await changeAccess(services.db, { members }, async (tx) => {
    const newCode = randomId();
    const anonymousSid = `${facebook.key}:deleted-${newCode}`;
    await removeIdentity(tx, { providerId, providerUserId, sid, sidKey, anonymousSid, nowMs });
    const act = { action: 'connection.deletedByProvider', subjectKind: 'provider', subjectId: providerId };
    await recordAudit(tx, ctx, { atMs: nowMs, ...act });
    return recordDeletion(tx, { providerId, personKey: sha256Hex(sid), code: newCode, nowMs });
  });
  sendJson(response, 200, {
    url: `${mainUrl(services.config)}/social/facebook/dataDeletion/${code}`,
    confirmation_code: code,
  });
}

async function showStatus({ response, params, ctx }: RawExchange<Context>): Promise<void> {
  const found = await findDeletionRequest(ctx.services.db, {
    providerId: facebook.providerId,
    code: params['code'] ?? '',
  });
  if (!found) throw new AppError('not_found');
  const { say, time, language } = pageWords(visitorLocale(ctx.call));
  const when = time(found.completedAtMs ?? found.requestedAtMs);
  const sentence =
    found.status === 'completed'
      ? say('What {provider} had told us about you was deleted on {time}.', {
          provider: facebook.name,
          time: when,
        })
      : say('The deletion asked for on {time} is under way.', { time: when });
  const code = say('Your confirmation code: {code}', { code: `<code>${escapeHtml(found.code)}</code>` });
  const body = `<p>${sentence}</p>\n<p>${code}</p>`;
  sendProductPage(ctx, response, { title: say('Deletion of your data'), body, language });
}

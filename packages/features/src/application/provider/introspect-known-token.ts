import type { IncomingMessage } from 'node:http';
import { isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Services } from '../../core/context.js';
import { standingScopes } from '../../core/guard/grant-standing.js';
import { standingGrant, storedGrants } from '../../core/guard/stored-grants.js';
import { findClientMetadata } from './client-metadata.js';
import { currentTogether } from './current-together.js';

/** Longer bodies are left to the library. */
const MAX_LENGTH = 4_096;

const FORM = /^application\/x-www-form-urlencoded(?: *; *charset=utf-8)?$/i;

const tokenFacts = z.object({
  accountId: z.string(),
  clientId: z.string(),
  exp: z.int(),
  iat: z.int(),
  sid: z.string().optional(),
  aud: z.union([z.string(), z.array(z.string())]).optional(),
  scope: z.string().optional(),
  extra: z.looseObject({}).optional(),
});

/** The simplest introspection request of an application: its id and secret by Basic, and the token in a form. */
interface Question {
  readonly clientId: string;
  readonly secret: string;
  readonly token: string;
}

/**
 * Answers most introspections (RFC 7662) without the library, which takes several times as long: those of an application with a
 * right secret about a valid access token of its own. Undefined for every other request: the library answers or refuses it, and
 * reads the body as if nobody had before.
 */
export async function introspectKnownToken(
  services: Services,
  request: IncomingMessage,
): Promise<object | undefined> {
  const question = await questionIn(request);
  if (question === undefined) return undefined;
  const { access, config, keyUse, now } = services;
  const { clientId, secret: sent, token } = question;
  // After the body, which may take its time.
  await currentTogether(access);
  const application = await access.client(clientId);
  const digest = sha256Hex(sent);
  const secret = application?.secrets.find((known) => known.digest === digest);
  if (application?.type !== 'web' || application.subjectType !== 'public' || secret === undefined)
    return undefined;
  const metadata = await findClientMetadata(services, clientId);
  if (metadata?.token_endpoint_auth_method !== 'client_secret_basic') return undefined;
  const stored = await storedGrants(services).find({ model: 'AccessToken', digest: sha256Hex(token) });
  if (!stored?.row.grantDigest) return undefined;
  const facts = tokenFacts.safeParse(stored.facts).data;
  if (facts?.clientId !== clientId || facts.exp * 1000 <= now()) return undefined;
  const grant = await standingGrant(services, stored.row.grantDigest);
  if (grant?.application.id !== application.id || String(grant.facts.memberId) !== facts.accountId)
    return undefined;
  if (keyUse.countIntrospection(clientId) !== undefined) return undefined;
  keyUse.noteSecret(secret.id);
  const { accountId: sub, extra, exp, iat, sid, aud } = facts;
  const scope = standingScopes(grant, facts.scope?.split(' ') ?? []).join(' ') || undefined;
  const about = { client_id: clientId, exp, iat, sid, iss: config.BASE_URL, aud, scope };
  return { sub, ...extra, active: true, ...about, token_type: 'Bearer' };
}

async function questionIn(request: IncomingMessage): Promise<Question | undefined> {
  const { authorization = '', 'content-type': type = '', 'content-length': length } = request.headers;
  const [, basic] = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(authorization) ?? [];
  if (basic === undefined || !FORM.test(type) || length === undefined || !(Number(length) <= MAX_LENGTH))
    return undefined;
  const [clientId = '', secret = '', ...more] = Buffer.from(basic, 'base64').toString().split(':');
  if (!/^[\w-]+$/.test(clientId) || !isOpaqueToken('clientSecret', secret) || more.length > 0)
    return undefined;
  const body = await bodyOf(request);
  readAgain(request, body);
  const fields = [...new URLSearchParams(body.toString())];
  const [first, second] = fields.toSorted(([one], [other]) => one.localeCompare(other));
  const isPlain = fields.length === 1 || (fields.length === 2 && second?.[0] === 'token_type_hint');
  if (!isPlain || first?.[0] !== 'token' || !isOpaqueToken('accessToken', first[1])) return undefined;
  return { clientId, secret, token: first[1] };
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request.iterator({ destroyOnReturn: false }))
    if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Lets the library read a body that was read already. It asks for these two properties. */
function readAgain(request: IncomingMessage, body: Buffer): void {
  Object.defineProperty(request, 'readable', { value: true });
  Object.defineProperty(request, 'iterator', { value: () => [body] });
}

import { AppError, loginNameSchema, parseUrl, sealPartnerSignIn } from '@gatehouse/auth-core';
import { isProven, type MemberRow } from '@gatehouse/db/queries/member-columns';
import { findPartnerCredential } from '@gatehouse/db/queries/partner-secrets';
import { lockPartner } from '@gatehouse/db/queries/partners';
import { findMember } from '@gatehouse/db/queries/read-members';
import { enforceLimit } from '@gatehouse/runtime/limits/limit-store';
import { z } from 'zod';
import { change } from '../audit/change.js';
import { procedure } from '../core/guard/procedure.js';
import { partnerNameIn } from '../core/guard/service-callers.js';
import { signInLimit } from './authenticate-partner.js';
import { partnerSecretContext } from './rotate-partner-secret.js';

/**
 * The URL a member is redirected to at a partner. It must have the origin of the partner's front end.
 * @throws {AppError} `invalid_input` for every other URL, and for spellings that browsers and parsers read
 * differently
 */
function redirectWithin(appUrl: string, redirectUrl: string | undefined): URL {
  if (redirectUrl === undefined) return new URL(appUrl);
  const isPlain = /^[\x21-\x7e]+$/.test(redirectUrl) && !redirectUrl.includes('\\');
  const url = isPlain ? parseUrl(redirectUrl) : undefined;
  const { origin } = new URL(appUrl);
  const isWithin =
    url !== undefined &&
    url.origin === origin &&
    url.username === '' &&
    url.password === '' &&
    /^([/?#]|$)/.test(redirectUrl.slice(origin.length)) &&
    redirectUrl.toLowerCase().startsWith(origin) &&
    !url.pathname.startsWith('//');
  if (!isWithin) {
    throw new AppError('invalid_input', {
      issues: [{ path: 'redirectUrl', message: 'must be a URL at the origin of that partner' }],
    });
  }
  return url;
}

/** The data that a caller may send: scalars by name. */
type CallerData = Readonly<Record<string, string | number | boolean | null>>;

/**
 * The data a partner gets about a member. The top level has only verified fields; data sent by the caller is
 * in `caller`. An address whose owner is not proven may belong to anybody and is left out, also where it is the username.
 */
function signedUserData(profile: MemberRow, caller: CallerData): Readonly<Record<string, unknown>> {
  const emailVerified = isProven(profile);
  return {
    id: profile.id,
    email: emailVerified ? profile.email : null,
    emailVerified,
    username: emailVerified || !profile.username?.includes('@') ? profile.username : null,
    firstName: profile.firstName,
    lastName: profile.lastName,
    caller,
  };
}

const MAX_EXTRA_BYTES = 2048;

const extraFields = z
  .record(z.string().max(100), z.union([z.string(), z.number(), z.boolean(), z.null()]))
  .refine((extra) => Buffer.byteLength(JSON.stringify(extra)) <= MAX_EXTRA_BYTES, {
    message: 'must be at most 2 kB',
  });

const input = z.object({
  /** The partner's name, its number, or the id that the replaced system gave it. */
  partner: z.union([z.int().positive(), loginNameSchema]),
  userData: extraFields.default({}),
  redirectUrl: z.string().max(2000).optional(),
});

/**
 * Signs the caller in at a partner. Returns a URL there with the caller's profile and, separately, the data
 * they sent, signed with the partner's secret and valid for five minutes. During a rotation the older secret
 * signs, because the partner may not know the newer one. A session begun by one partner cannot sign in at
 * another.
 */
export const signIn = procedure({ who: 'member', byThemselves: true })
  .input(input)
  .output(z.object({ redirectUrl: z.string() }))
  .mutation(async ({ ctx, input: { partner: partnerId, userData, redirectUrl } }) => {
    const { services, call, caller } = ctx;
    await enforceLimit(services, signInLimit(caller.memberId));
    const { target, partner } = await change(ctx, {}, async ({ tx, nowMs }) => {
      const name = partnerNameIn(partnerId);
      await lockPartner(tx, name, null);
      const found = await findPartnerCredential(tx, name, nowMs);
      const [secret] = found?.secrets ?? [];
      if (!found?.isActive || !secret) throw new AppError('not_found');
      const isOfAnother = (caller.session.partnerId ?? found.id) !== found.id;
      if (isOfAnother || caller.session.sso?.isNarrow === true) throw new AppError('permission_denied');
      const url = redirectWithin(found.appUrl, redirectUrl);
      const profile = await findMember(tx, caller.memberId);
      if (!profile) throw new AppError('unauthorized');
      const secretKey = services.cipher.open(secret.sealed, partnerSecretContext(found.nameKey));
      const signIn = {
        partner: found.name,
        userData: signedUserData(profile, userData),
        redirectUrl: redirectUrl ?? found.appUrl,
      };
      url.searchParams.set('token', sealPartnerSignIn(secretKey, signIn, { nowMs }));
      return { target: url, partner: found };
    });
    services.log.security({
      event: 'token.issued',
      requestId: call.requestId,
      address: call.address,
      memberId: caller.memberId,
      partnerId: partner.id,
    });
    return { redirectUrl: target.href };
  });

import { AppError } from '@gatehouse/auth-core';
import { bearerTokenIn } from '@gatehouse/http/server/token-headers';
import type { AccessReader } from '../access/access-reader.js';
import type { Context } from './context.js';
import { partnerNameIn } from './partner-name-in.js';

/** The partner on whose behalf a call is made. */
export interface CallingPartner {
  readonly id: number;
  readonly name: string;
  /** The address of its front end: an http(s) URL without query, fragment or trailing slash. */
  readonly appUrl: string;
}

/**
 * The partner whose token was sent as bearer. Every call reads the database, so a deactivation or a retired
 * secret takes effect at once on every node.
 * @throws {AppError} `invalid_partner_token`, whatever the reason.
 */
export async function identifyPartner(ctx: Context, access: AccessReader): Promise<CallingPartner> {
  const { tokens, now } = ctx.services;
  const opened = tokens.openPartner(bearerTokenIn(ctx.call.header('authorization')) ?? '');
  const name = opened && partnerNameIn(opened.partnerId);
  const partner =
    name &&
    (await access.partnerOfToken({
      name,
      secretId: opened.secretId ?? null,
      issuedAtMs: opened.issuedAtMs,
      nowMs: now(),
    }));
  if (!partner) throw new AppError('invalid_partner_token');
  return { id: partner.id, name: partner.name, appUrl: partner.appUrl };
}

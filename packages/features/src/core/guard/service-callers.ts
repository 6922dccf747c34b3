import { AppError, randomId, sha256Hex, usernameKey } from '@gatehouse/auth-core';
import type { MemberRow } from '@gatehouse/db/queries/member-columns';
import type { PartnerName } from '@gatehouse/db/queries/partners';
import { findMemberByAuthToken } from '@gatehouse/db/queries/read-members';
import { bearerTokenIn } from '@gatehouse/http/server/request-headers';
import type { AccessReader } from '../access/access-reader.js';
import type { Context } from '../context.js';

/**
 * Parses a partnerId: the id that another system gave the partner; else digits are its number, other text its name.
 */
export function partnerNameIn(partnerId: string | number): PartnerName {
  const sent = String(partnerId);
  const id = typeof partnerId === 'number' || /^\d{1,16}$/.test(partnerId) ? Number(partnerId) : undefined;
  if (id !== undefined) return { sent, id: Number.isSafeInteger(id) ? id : 0 };
  return { sent, nameKey: usernameKey(sent) };
}

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

const SHAPE = /^gat_[0-9a-f]{64}$/;

/** A new auth_token: 256 random bits. */
export function makeAuthToken(): string {
  return `gat_${randomId(32)}`;
}

/** The stored form of an auth_token. */
export function authTokenDigest(token: string): string {
  return sha256Hex(token);
}

/**
 * The live staff member with this auth_token, from `Authorization` with or without `Bearer`.
 * @throws {AppError} `unauthorized`, whatever the reason.
 */
export async function identifyByAuthToken({ call, services }: Context): Promise<MemberRow> {
  const token = (call.header('authorization') ?? '').replace(/^bearer +/i, '').trimEnd();
  const member = SHAPE.test(token)
    ? await findMemberByAuthToken(services.db, { digest: authTokenDigest(token), nowMs: services.now() })
    : undefined;
  if (!member) throw new AppError('unauthorized');
  call.facts.memberId = member.id;
  return member;
}

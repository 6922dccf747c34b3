import { AppError, randomId, sha256Hex } from '@gatehouse/auth-core';
import { findMemberByAuthToken, type MemberRow } from '@gatehouse/db';
import type { Context } from './context.js';

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

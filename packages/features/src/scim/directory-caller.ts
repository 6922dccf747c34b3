import { AppError, isOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import { bearerTokenIn } from '@gatehouse/http/server/request-headers';
import type { AccessReader } from '../core/access/access-reader.js';
import type { Context } from '../core/context.js';

/** The directory of an account, which calls with a token. */
export interface Directory {
  readonly tokenId: number;
  readonly accountId: number;
}

/**
 * The directory that calls, by its token as the rows say now.
 * @throws {AppError} `unauthorized` for everything but a live token of an open account
 */
export async function identifyDirectory(
  ctx: Context,
  access: AccessReader,
): Promise<{ readonly directory: Directory }> {
  const { call, services } = ctx;
  const token = bearerTokenIn(call.header('authorization')) ?? '';
  // A wrong checksum costs no look-up.
  if (!isOpaqueToken('scimToken', token)) throw new AppError('unauthorized');
  const found = await access.scimToken(sha256Hex(token));
  if (found === undefined || found.revokedAtMs !== null || services.now() >= found.expiresAtMs)
    throw new AppError('unauthorized');
  const { id: tokenId, accountId, expiresAtMs } = found;
  await access.current();
  const account = await access.account(accountId);
  if (account === undefined || account.isDeleted) throw new AppError('unauthorized');
  services.tokens.noteKey(token, expiresAtMs);
  call.facts.accountId = accountId;
  call.facts.directory = { tokenId };
  return { directory: { tokenId, accountId } };
}

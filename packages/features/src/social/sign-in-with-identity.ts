import { AppError, emailKey, generatePassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DuplicateKeyError } from '@gatehouse/db/database-errors';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import {
  insertConnection,
  lockActiveMember,
  lockJoinableMember,
  setConnectionContent,
} from '@gatehouse/db/queries/change-connections';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { type ConnectionRow, findConnection } from '@gatehouse/db/queries/read-connections';
import { findMemberAddress, findReturningHolder } from '@gatehouse/db/queries/read-members';
import { findSessionsEnd } from '@gatehouse/db/queries/revoke-sessions';
import { lockPlantedAccounts } from '@gatehouse/db/queries/take-member-over';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import { endEarlierSignIns } from '../authentication/take-over.js';
import type { Context } from '../core/context.js';
import { askedFrom } from '../core/rate-limit/known-device.js';
import { requireOwnSignIn } from '../core/required-sso.js';
import { mailReturn } from '../mail/restore-link.js';
import { queueActivation } from '../registration/mail-confirmation.js';
import { registerMember } from '../registration/new-member.js';
import { limitRegistrations } from '../registration/register.js';
import type { ProvenIdentity } from './proven-identity.js';
import { attachIdentity, connectionContent, identitySid } from './proven-identity.js';

/** How often the decision is repeated if somebody else changes the data on which it is based. */
const ATTEMPTS = 3;

/** The person, and the connection that identifies them. */
export interface SignedIn {
  readonly memberId: number;
  readonly connectionId: number;
  /** The epoch of the member's sessions at that moment. */
  readonly sessionEpoch: number;
  /** When all sessions of the member ended last. */
  readonly tokensValidAfterMs: number;
  /** Whether the connection was made now, for a member who was there before. */
  readonly hasJoined: boolean;
}

/**
 * The member for a proven identity: the one it is connected to; else the one with this address, if both we
 * and the provider have confirmed it, who gets connected now; else, if nobody has the address, a new one.
 * @param locale the language in which a new member gets mails
 * @throws {AppError} `link_required` if the address belongs to somebody in any other way,
 * `invalid_credentials` if the member is deleted or archived. Somebody who deleted themselves is mailed the link to come
 * back.
 */
export async function signInWithIdentity(
  ctx: Context,
  identity: ProvenIdentity,
  locale: Locale | undefined,
): Promise<SignedIn> {
  if (identity.profile.email !== null) await requireOwnSignIn(ctx.services, emailKey(identity.profile.email));
  try {
    return await findOrMake(ctx, identity, locale);
  } catch (error) {
    if (error instanceof AppError && (error.code === 'invalid_credentials' || error.code === 'link_required'))
      await mailReturnTo(ctx, identity);
    throw error;
  }
}

/** Mails the link to come back to somebody who deleted themselves and has shown by the provider who they are. */
async function mailReturnTo(ctx: Context, { providerId, profile }: ProvenIdentity): Promise<void> {
  const { services } = ctx;
  const { providerUserId, email, emailVerified } = profile;
  const connection = await findConnection(services.db, { providerId, providerUserId });
  const connected =
    connection === undefined ? undefined : await findMemberAddress(services.db, connection.memberId);
  const proven = email !== null && emailVerified ? emailKey(email) : null;
  const key = connected === undefined ? proven : connected.emailKey;
  const deleted =
    key === null
      ? undefined
      : await findReturningHolder(services.db, { emailKey: key, nowMs: services.now() });
  if (deleted === undefined) return;
  const share = await askedFrom(ctx, deleted.id);
  await services.db.transaction((tx) => mailReturn(tx, services, { deleted, share }));
  services.wakeups.wake('mail');
}

async function findOrMake(
  ctx: Context,
  identity: ProvenIdentity,
  locale: Locale | undefined,
): Promise<SignedIn> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    try {
      const signedIn = await findOrMakeMember(ctx, identity, locale);
      if (signedIn !== undefined) return signedIn;
    } catch (error) {
      if (!isOvertaken(error)) throw error;
    }
  }
  throw new AppError('link_required', { detail: 'the login identifier belongs to somebody else' });
}

/**
 * Whether the identity or its address was taken meanwhile, for example by another callback of the same
 * person.
 */
function isOvertaken(error: unknown): boolean {
  if (error instanceof AppError) return error.code === 'email_taken' || error.code === 'connection_taken';
  return error instanceof DuplicateKeyError;
}

/** Undefined if the connection was removed meanwhile. */
async function findOrMakeMember(
  ctx: Context,
  identity: ProvenIdentity,
  locale: Locale | undefined,
): Promise<SignedIn | undefined> {
  const { db } = ctx.services;
  const { providerId, profile } = identity;
  const connection = await findConnection(db, { providerId, providerUserId: profile.providerUserId });
  if (connection) return enterAgain(ctx, connection, identity);
  const key = profile.email === null ? undefined : emailKey(profile.email);
  const holder = key === undefined ? undefined : await findCredential(db, key);
  if (key === undefined || holder === undefined) return enrolAnew(ctx, identity, locale);
  if (!profile.emailVerified || holder.emailKey !== key) throw new AppError('link_required');
  return join(ctx, { memberId: holder.id, emailKey: key }, identity);
}

async function enterAgain(
  ctx: Context,
  connection: ConnectionRow,
  identity: ProvenIdentity,
): Promise<SignedIn | undefined> {
  const { services } = ctx;
  const { memberId, id: connectionId } = connection;
  const nowMs = services.now();
  const content = connectionContent({ cipher: services.cipher, nowMs }, identity);
  return services.db.transaction(async (tx) => {
    if (!(await lockActiveMember(tx, { memberId, nowMs }))) throw new AppError('invalid_credentials');
    const isStillThere = await setConnectionContent(tx, connection, { ...content, nowMs });
    return isStillThere ? signedIn(tx, { memberId, connectionId, hasJoined: false }) : undefined;
  });
}

async function join(
  ctx: Context,
  holder: { memberId: number; emailKey: string },
  identity: ProvenIdentity,
): Promise<SignedIn> {
  const { services } = ctx;
  const { memberId } = holder;
  const joined = await changeAccess(services.db, { members: [memberId] }, async (tx) => {
    const lockedAccounts = await lockPlantedAccounts(tx, memberId);
    const isJoinable = await lockJoinableMember(tx, { ...holder, nowMs: services.now() });
    if (!isJoinable) throw new AppError('link_required');
    await endEarlierSignIns(tx, ctx, { memberId, lockedAccounts });
    const connectionId = await attachIdentity(tx, ctx, { memberId, identity });
    return signedIn(tx, { memberId, connectionId, hasJoined: true });
  });
  services.wakeups.wake('mail');
  return joined;
}

/** The member's row is locked. */
async function signedIn(
  tx: Database,
  who: Omit<SignedIn, 'sessionEpoch' | 'tokensValidAfterMs'>,
): Promise<SignedIn> {
  const end = await findSessionsEnd(tx, who.memberId);
  if (!end) throw new AppError('invalid_credentials');
  return { ...who, ...end };
}

async function enrolAnew(
  ctx: Context,
  identity: ProvenIdentity,
  locale: Locale | undefined,
): Promise<SignedIn> {
  const { services } = ctx;
  const { providerId, profile } = identity;
  const { email, emailVerified, providerUserId } = profile;
  await limitRegistrations(ctx);
  const person = {
    email,
    ...(email === null ? { sid: identitySid(identity) } : {}),
    password: generatePassword(),
    hasPassword: false,
    firstName: profile.firstName ?? profile.displayName ?? undefined,
    lastName: profile.lastName ?? undefined,
    emailConfirmedAtMs: emailVerified ? services.now() : undefined,
    locale,
  };
  const { memberId, completed } = await registerMember(ctx, person, async (tx, enrolled) => {
    const nowMs = services.now();
    const connectionId = await insertConnection(tx, {
      ...connectionContent({ cipher: services.cipher, nowMs }, identity),
      memberId: enrolled.memberId,
      providerId,
      providerUserId,
      nowMs,
    });
    if (email !== null && !emailVerified) {
      await queueActivation(tx, services, { memberId: enrolled.memberId, email });
    }
    return connectionId;
  });
  return { memberId, connectionId: completed, sessionEpoch: 0, tokensValidAfterMs: 0, hasJoined: false };
}

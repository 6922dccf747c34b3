import { createTokenKeys, dummyHash, randomId, sealToken } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { startSession } from '@gatehouse/db/queries/start-session';
import { testConfig } from './test-config.js';

/** A member for one round of a test, signed in without hashing a password. */
export interface TestMember {
  readonly id: number;
  readonly email: string;
  readonly token: string;
  readonly tokenKey: string;
  readonly expiresAtMs: number;
  /** The token of another session of the same member. */
  signInAgain(): Promise<string>;
}

export interface TestMemberOptions {
  roleType?: number;
  isPersonnel?: boolean;
  /** The bcrypt hash of the member's password; without it no password works. */
  passwordHash?: string;
  /** Account id → role there. */
  memberships?: Readonly<Record<number, number>>;
  grants?: readonly number[];
  /** Whether they came from a provider, without an address or a known password. */
  isWithoutAddress?: boolean;
  /** Whether they have set a password; by default true for members with an address. */
  hasPassword?: boolean;
  /** Whether the address is confirmed. */
  isConfirmed?: boolean;
  /** Whether the owner of the address has proven it; by default true for staff and where the address is confirmed. */
  isProven?: boolean;
  /** Whether the token has a session row, like ours, or none, like the replaced system's. */
  withSession?: boolean;
  /** The lifetime of the token, an hour by default. */
  ttlSeconds?: number;
  /** How long ago the token was made. */
  ageSeconds?: number;
  /** The clock of the services, by default that of this machine. */
  now?: () => number;
}

const TTL_SECONDS = 3_600;
/** Inserts a member with memberships and grants, and makes their session token. */
export async function insertTestMember(db: Database, options: TestMemberOptions = {}): Promise<TestMember> {
  const { members, memberships, personnelGrants } = db.tables;
  const nowMs = (options.now ?? Date.now)();
  const name = `m${randomId()}`;
  const { isWithoutAddress = false } = options;
  const email = isWithoutAddress ? '' : `${name}@many.test`;
  const sid = isWithoutAddress ? `google:${name}` : email;
  const password = options.passwordHash ?? dummyHash;
  const roleType = options.roleType ?? 5;
  const id = await db.transaction(async (tx) => {
    const memberId = await tx.insert(members, {
      sid,
      sidKey: sid,
      username: name,
      usernameKey: name,
      firstName: 'Test',
      firstNameKey: 'test',
      lastName: 'Member',
      lastNameKey: 'member',
      email: isWithoutAddress ? null : email,
      emailKey: isWithoutAddress ? null : email,
      emailConfirmedAtMs: options.isConfirmed ? nowMs : null,
      ownerProvenAtMs:
        (options.isProven ?? (options.isPersonnel || (options.isConfirmed && !isWithoutAddress)))
          ? nowMs
          : null,
      hasPassword: options.hasPassword ?? !isWithoutAddress,
      password,
      roleType,
      role: 'Test',
      isPersonnel: options.isPersonnel ?? false,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
    const times = { isDeleted: false, active: true, createdAtMs: nowMs, updatedAtMs: nowMs };
    await tx.insertMany(
      memberships,
      Object.entries(options.memberships ?? {}).map(([accountId, role]) => ({
        memberId,
        accountId: Number(accountId),
        roleType: role,
        ...times,
      })),
    );
    await tx.insertMany(
      personnelGrants,
      (options.grants ?? []).map((accountId) => ({ personnelId: memberId, accountId, ...times })),
    );
    return memberId;
  });
  const signedIn = () => signInDirectly(db, id, roleType, options);
  return { id, email, signInAgain: async () => (await signedIn()).token, ...(await signedIn()) };
}

async function signInDirectly(db: Database, userId: number, role: number, options: TestMemberOptions) {
  const nowMs = (options.now ?? Date.now)();
  const { token, tokenKey, expiresAtMs } = sealToken(
    createTokenKeys({ secret: testConfig().JWT_SECRET_KEY }),
    { userId, role, defaultPaymentId: 2, accountId: null, isPersonnel: options.isPersonnel ?? false },
    { nowMs: nowMs - (options.ageSeconds ?? 0) * 1000, ttlSeconds: options.ttlSeconds ?? TTL_SECONDS },
  );
  if (options.withSession ?? true) {
    await db.transaction((tx) =>
      startSession(tx, {
        memberId: userId,
        expectedPassword: options.passwordHash ?? dummyHash,
        expectedFactorEpoch: 0,
        isHeard: false,
        amr: 'pwd',
        level: 1,
        tokenKey,
        kind: 'session',
        device: 'test',
        address: '127.0.0.1',
        partnerId: null,
        nowMs,
        expiresAtMs,
      }),
    );
  }
  return { token, tokenKey, expiresAtMs };
}

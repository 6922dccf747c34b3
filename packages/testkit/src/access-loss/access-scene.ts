import { createTokenKeys, hashPassword, randomId, sealPartnerToken } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountOwner } from '@gatehouse/db/queries/change-accounts';
import { addPartner } from '@gatehouse/features/partner/add-partner';
import { insertTestMember, type TestMember, type TestMemberOptions } from '../insert-test-member.js';
import type { RunningService } from '../start-service.js';
import { testConfig } from '../test-config.js';
import type { CallerKind } from './caller-kind.js';

/** The data of one call, created only for it. */
export interface AccessScene {
  readonly service: RunningService;
  /** Another node over the same database. */
  readonly other: RunningService;
  /** The database, without the delays of the first node's handle. */
  readonly db: Database;
  readonly accountId: number;
  readonly caller: TestMember;
  readonly partner: { readonly id: number; readonly secretId: number; readonly name: string };
  /** A member of the account. */
  readonly subject: TestMember;
  /** How the caller authenticates. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The password of every caller. */
export const SCENE_PASSWORD = 'a caller of a scene 42';
let passwordHash: Promise<string> | undefined;

/**
 * Creates a scene. `isRowless` gives the caller a token of the replaced system, `isConfirmed` gives everybody
 * a confirmed address.
 */
export async function createAccessScene(
  { service, other, db }: { service: RunningService; other: RunningService; db: Database },
  as: CallerKind,
  {
    isRowless = false,
    isConfirmed = false,
    isAged = false,
  }: { isRowless?: boolean; isConfirmed?: boolean; isAged?: boolean } = {},
): Promise<AccessScene> {
  const nowMs = Date.now();
  const name = `Account ${randomId()}`;
  const accountId = await db.insert(db.tables.accounts, {
    name,
    nameKey: name.toLowerCase(),
    ownerId: 1,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  passwordHash ??= hashPassword(SCENE_PASSWORD, 10);
  const caller = await insertTestMember(db, {
    ...callerOptions(as, accountId),
    passwordHash: await passwordHash,
    withSession: !isRowless,
    ...(isAged ? { ageSeconds: 2_400, ttlSeconds: 3_600 } : {}),
    isConfirmed,
  });
  if (as === 'owner') await ownAccount(db, accountId, caller.id);
  const subject = await insertTestMember(db, { isConfirmed, memberships: { [accountId]: 5 } });
  const { services } = service;
  const partnerName = `partner-${randomId()}`;
  const { id } = await addPartner(
    { db, services, nowMs: nowMs - 1_000, actorId: null },
    { name: partnerName, appUrl: 'http://127.0.0.1:4010' },
  );
  const { partnerSecrets, partnerMembers } = db.tables;
  await db.insert(partnerMembers, { partnerId: id, memberId: subject.id, linkedAtMs: nowMs });
  await db.insert(partnerMembers, { partnerId: id, memberId: caller.id, linkedAtMs: nowMs });
  const secrets = await db.select().from(partnerSecrets);
  const secretId = secrets.find(({ partnerId }) => partnerId === id)?.id ?? 0;
  const partner = { id, secretId, name: partnerName };
  return {
    service,
    other,
    db,
    accountId,
    caller,
    partner,
    subject,
    headers: headersOf(as, { accountId, token: caller.token, partner }),
  };
}

async function ownAccount(db: Database, accountId: number, ownerId: number): Promise<void> {
  await changeAccess(db, { accounts: [accountId] }, (tx) =>
    setAccountOwner(tx, { accountId, ownerId, expectedOwnerId: 1, nowMs: Date.now() }),
  );
}

function callerOptions(as: CallerKind, accountId: number): TestMemberOptions {
  switch (as) {
    case 'root':
    case 'rootInAccount':
      return { roleType: 0, isPersonnel: true };
    case 'staff':
    case 'manager':
      return { roleType: 6, isPersonnel: true, grants: [accountId] };
    case 'owner':
      return { roleType: 5, memberships: { [accountId]: 1 } };
    default:
      return { roleType: 5, memberships: { [accountId]: 2 } };
  }
}

function headersOf(
  as: CallerKind,
  { accountId, token, partner }: Pick<AccessScene, 'accountId' | 'partner'> & { token: string },
): Record<string, string> {
  if (as === 'partner') return { authorization: `Bearer ${partnerToken(partner)}` };
  const isBound = ['rootInAccount', 'manager', 'accountManager', 'owner'].includes(as);
  return { token, ...(isBound ? { accountid: String(accountId) } : {}) };
}

function partnerToken({ name, secretId }: AccessScene['partner']): string {
  const { JWT_SECRET_KEY: secret, PARTNER_TOKEN_ISSUER: issuer } = testConfig();
  const payload = { partnerId: name, partnerName: name, secretId };
  return sealPartnerToken(createTokenKeys({ secret }), payload, { nowMs: Date.now(), issuer }).token;
}

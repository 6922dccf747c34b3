import { emailKey, randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { proveOwner } from '@gatehouse/db/queries/change-member';
import { findInvitation, insertInvitation, renewInvitation } from '@gatehouse/db/queries/invitations';
import { confirmAddress } from '@gatehouse/db/queries/pending-addresses';
import type { RunningService, TestMember } from '@gatehouse/testkit';

/** An account without members. */
export async function insertTestAccount(db: Database, ownerId = 1): Promise<number> {
  const nowMs = Date.now();
  const name = `Account ${randomId()}`;
  return db.insert(db.tables.accounts, {
    name,
    nameKey: name.toLowerCase(),
    ownerId,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
}

/** Marks a member's address as confirmed, and its owner as proven. */
export async function confirmTestMember(
  db: Database,
  { id, email }: Pick<TestMember, 'id' | 'email'>,
): Promise<void> {
  await changeAccess(db, { members: [id] }, async (tx) => {
    await confirmAddress(tx, { memberId: id, emailKey: emailKey(email), nowMs: Date.now() });
    await proveOwner(tx, { memberId: id, expectedPassword: undefined, nowMs: Date.now() });
  });
}

/** Confirms a member's address as its owner does: with a credential of theirs. */
export async function proveTestMember(db: Database, member: Pick<TestMember, 'id' | 'email'>): Promise<void> {
  await confirmTestMember(db, member);
  const proof = { memberId: member.id, expectedPassword: undefined, nowMs: Date.now() };
  await changeAccess(db, { members: [member.id] }, (tx) => proveOwner(tx, proof));
}

/** An invitation to the role of a user member, without a mail; nobody has its link. */
export async function insertTestInvitation(
  db: Database,
  invitation: { accountId: number; inviterId: number; email?: string },
): Promise<number> {
  const { accountId, inviterId, email = `${randomId()}@many.test` } = invitation;
  const { id } = await insertInvitation(db, {
    accountId,
    inviterId,
    email,
    emailKey: emailKey(email),
    roleType: 5,
    customRoleId: null,
    nowMs: Date.now() + 86_400_000,
  });
  return id;
}

/** The link of an invitation, as a mail of some minutes ago would have it. */
export async function linkOf(
  { services, database }: Pick<RunningService, 'services' | 'database'>,
  invitationId: number,
): Promise<string> {
  const row = await findInvitation(database, invitationId);
  if (!row) throw new Error(`There is no invitation ${invitationId}`);
  const { roleType, customRoleId, inviterId, mailId, expiresAtMs } = row;
  const { token, tokenKey } = services.tokens.sealOneUse({ type: 'invitation', invitationId }, 86_400);
  const link = { invitationId, roleType, customRoleId, inviterId, tokenKey, mailId, expiresAtMs };
  await renewInvitation(database, { ...link, nowMs: Date.now() - 300_000 });
  return token;
}

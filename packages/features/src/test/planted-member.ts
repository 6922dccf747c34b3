import type { TestMember, TestMemberOptions } from '@gatehouse/testkit';
import { changeColumn } from './change-column.js';
import type { SupportWorld } from './support-world.js';

/** A member whose address somebody else registered, with every kind of credential that they may have left there. */
export interface Planted extends TestMember {
  readonly connectionId: number;
}

/** Registers an address in advance: a password, a session, a connection, an authenticator app, an auth_token, a pending address. */
export async function plant(world: SupportWorld, options: TestMemberOptions = {}): Promise<Planted> {
  const { db } = world;
  const nowMs = world.nowMs();
  const member = await world.member({ isConfirmed: false, isProven: false, ...options });
  const { socialConnections, totpFactors } = db.tables;
  const written = { createdAtMs: nowMs, updatedAtMs: nowMs };
  const connectionId = await db.insert(socialConnections, {
    memberId: member.id,
    providerId: 3,
    providerUserId: `planted-${member.id}`,
    displayName: 'Planter',
    tokenStatus: 'valid',
    ...written,
  });
  const app = { pendingSecret: 'sealed', pendingSinceMs: nowMs, createdAtMs: nowMs };
  await db.insert(totpFactors, { memberId: member.id, ...app });
  const pending = `planter-${member.id}@elsewhere.test`;
  for (const [column, value] of [
    ['auth_token_digest', `planted-${member.id}`],
    ['auth_token_expires_at_ms', nowMs + 3_600_000],
    ['pending_email', pending],
    ['pending_email_key', pending],
    ['pending_awaits', 'new'],
    ['pending_since_ms', nowMs],
  ] as const)
    await changeColumn(db, { table: 'members', column, id: member.id }, value);
  return { ...member, connectionId };
}

import { changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { findBan } from '@gatehouse/db/queries/change-member';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { startKilledService } from '@gatehouse/features/test/killed-service';
import {
  createTestDatabase,
  developmentEnvironment,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  startService,
  type TestMember,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createApp } from './app.js';

const dialect = inject('dialect');
/** Far beyond any statement of a test: the process dies on command. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;
const DAY_MS = 86_400_000;
const reason = 'why';

const withId = z.looseObject({ id: z.number() });

describe('a change that staff make for a member', () => {
  it('is visible to the next request on the other node, and survives when the answering service is killed', {
    timeout: 1_200_000,
  }, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database: db } = test;
    await seedTestDatabase(db);
    const options = { dialect, application: 'admin', database: db, env: developmentEnvironment() } as const;
    await using other = await startService(createApp, options);
    const root = await insertTestMember(db, { roleType: 0, isPersonnel: true, isConfirmed: true });
    const person = (role = 5): Promise<TestMember> =>
      insertTestMember(db, { isConfirmed: true, memberships: { 3: role } });
    const seen = async ({ token }: TestMember, accountId = 3) =>
      (await other.send('/auth/me', { token, accountId })).status;
    const mailKindsTo = async (email: string) =>
      (await db.select().from(db.tables.mailOutbox))
        .filter(({ recipient }) => recipient === email)
        .map(({ kind }) => kind);

    const total = rounds({ suite: 1, stress: 30 });
    let writes = 0;
    for (let round = 0; round < total; round += 1) {
      const [banned, forgiven, back, heir] = [
        await person(),
        await person(2),
        await person(),
        await person(),
      ];
      const unconfirmed = await insertTestMember(db, { memberships: { 3: 5 } });
      const { accounts, memberships, subscriptions, invitations } = db.tables;
      const at = { createdAtMs: 1, updatedAtMs: 1 };
      const name = `Kiln ${round}`;
      const accountId = await db.insert(accounts, { name, nameKey: name, ownerId: forgiven.id, ...at });
      await db.insertMany(memberships, [
        { memberId: forgiven.id, accountId, roleType: 1, ...at },
        { memberId: heir.id, accountId, roleType: 5, ...at },
      ]);
      await using dying = await startKilledService(url, NEVER, 'admin');
      const write = async (procedure: string, input: object, inAccount?: number): Promise<unknown> => {
        const response = await fetch(`${dying.url}/v1/${procedure.replaceAll('.', '/')}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            token: root.token,
            ...(inAccount && { accountid: String(inAccount) }),
          },
          body: JSON.stringify(input),
        });
        const body = z.looseObject({ data: z.unknown().optional() }).parse(await response.json());
        expect([procedure, response.status]).toEqual([procedure, 200]);
        writes += 1;
        return body.data;
      };

      const until = new Date(Date.now() + DAY_MS).toISOString();
      await write('member.ban', { memberId: banned.id, until, reason });
      expect(await seen(banned)).toBe(401);
      await write('member.ban', { memberId: forgiven.id });
      expect(await seen(forgiven)).toBe(401);
      await write('member.unban', { memberId: forgiven.id });
      await write('account.transferOwnership', { accountId, memberId: heir.id, reason });
      await write('member.remove', { memberId: back.id });
      expect(await seen(back)).toBe(401);
      await write('member.restore', { memberId: back.id, reason });
      await changeAccess(db, { accounts: [accountId] }, (tx) =>
        shutAccount(tx, { accountId, closedById: 1, erasesAtMs: Date.now() + DAY_MS, nowMs: Date.now() }),
      );
      expect(await seen(heir, accountId)).toBe(403);
      await write('account.restore', { accountId, reason });
      expect(await seen(heir, accountId)).toBe(200);
      await write('subscription.extendTrial', { accountId, until, reason });
      await write('member.sendReset', { memberId: back.id });
      await write('member.sendConfirmation', { memberId: unconfirmed.id });
      const colleague = {
        email: `c${round}@gatehouse.test`,
        firstName: 'Nora',
        lastName: 'Lind',
        roleType: 6,
      };
      const { id: personnelId } = withId.parse(await write('personnel.save', colleague));
      await write('personnel.reinvite', { personnelId });
      const email = `guest${round}@many.test`;
      const kept = withId.parse(await write('invitation.create', { email, roleType: 5 }, accountId));
      const another = { email: `not-${email}`, roleType: 5 };
      const revoked = withId.parse(await write('invitation.create', another, accountId));
      await write('invitation.revoke', { invitationId: revoked.id }, accountId);
      await dying[Symbol.asyncDispose]();

      const nowMs = Date.now();
      expect(await findBan(db, { memberId: banned.id, nowMs })).toMatchObject({
        untilMs: Date.parse(until),
        reason,
      });
      expect(await seen(banned)).toBe(401);
      expect(await findAccessSnapshot(db, forgiven.id, nowMs)).toMatchObject({
        roleType: 5,
        banEndsAtMs: null,
      });
      expect(await findAccessSnapshot(db, back.id, nowMs)).toMatchObject({
        isDeleted: false,
        memberships: [{ accountId: 3, roleType: 5 }],
      });
      const account = (await db.select().from(accounts)).find(({ id }) => id === accountId);
      expect(account).toMatchObject({ ownerId: heir.id, isDeleted: false });
      const trial = (await db.select().from(subscriptions)).find((row) => row.accountId === accountId);
      expect(trial).toMatchObject({ state: 'trialing', trialEndsAtMs: Date.parse(until) });
      const rows = (await db.select().from(invitations)).filter((row) => row.accountId === accountId);
      expect(rows.map(({ id, status }) => [id, status])).toEqual([
        [kept.id, 'open'],
        [revoked.id, 'revoked'],
      ]);
      expect(await mailKindsTo(back.email)).toEqual(['passwordReset']);
      expect(await mailKindsTo(unconfirmed.email)).toEqual(['activation']);
      expect(await mailKindsTo(colleague.email)).toEqual(['staffInvitation', 'staffInvitation']);
      expect(await mailKindsTo(email)).toEqual(['invitation']);
    }
    printMeasurements('what staff do for members survives kill -9', { rounds: total, writes, lost: 0 });
  });
});

import { startKilledService } from '@gatehouse/features/test/killed-service';
import {
  createTestDatabase,
  developmentEnvironment,
  insertTestMember,
  printMeasurements,
  readOutbox,
  rounds,
  seedTestDatabase,
  startService,
  type TestMember,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createApp } from './app.js';

const dialect = inject('dialect');
/** Later than anything a test waits for: the process is killed on command. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;

const withId = z.looseObject({ id: z.number() });
const me = z.looseObject({
  member: z.looseObject({ firstName: z.string().nullable() }),
  currentAccount: z
    .looseObject({ accountName: z.string(), role: z.number(), permissions: z.array(z.string()) })
    .nullable(),
});

interface Caller {
  readonly token: string;
  readonly accountId?: number;
}

describe('what people change', () => {
  it('is seen by the next request on the other node, and kept when the service that answered is killed', {
    timeout: 1_200_000,
  }, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database: db } = test;
    await seedTestDatabase(db);
    const options = { dialect, application: 'web', database: db, env: developmentEnvironment() } as const;
    await using other = await startService(createApp, options);
    const seenAs = async ({ token, accountId }: Caller) => {
      const response = await other.send('/auth/me', { token, ...(accountId && { accountId }) });
      return response.status === 200 ? me.parse(await response.json()) : response.status;
    };
    const seenIn = async (caller: Caller) => {
      const seen = await seenAs(caller);
      return typeof seen === 'number' ? seen : seen.currentAccount;
    };
    const person = (): Promise<TestMember> => insertTestMember(db, { isConfirmed: true });

    const total = rounds({ suite: 1, stress: 30 });
    let writes = 0;
    for (let round = 0; round < total; round += 1) {
      const [owner, heir, guest, leaver] = [await person(), await person(), await person(), await person()];
      await using dying = await startKilledService(url, NEVER);
      const write = async (name: string, input: object, { token, accountId }: Caller): Promise<unknown> => {
        const response = await fetch(`${dying.url}/v1/${name.replaceAll('.', '/')}`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            token,
            ...(accountId && { accountid: String(accountId) }),
          },
          body: JSON.stringify(input),
        });
        const body = z.looseObject({ data: z.unknown().optional() }).parse(await response.json());
        expect([name, response.status]).toEqual([name, 200]);
        writes += 1;
        return body.data;
      };

      const { id: accountId } = withId.parse(await write('account.create', { name: `Kiln ${round}` }, owner));
      const as = ({ token }: TestMember): Caller => ({ token, accountId });
      expect(await seenIn(as(owner))).toMatchObject({ role: 1 });
      for (const who of [heir, guest, leaver]) await joinAs(db, who, accountId);

      await write('account.rename', { name: `Forge ${round}` }, as(owner));
      expect(await seenIn(as(owner))).toMatchObject({ accountName: `Forge ${round}` });
      const role = { name: 'Reader', roleType: 5, permissions: ['account.read', 'member.list'] };
      const { id: customRoleId } = withId.parse(await write('role.save', role, as(owner)));
      await write('membership.changeRole', { memberId: guest.id, customRoleId }, as(owner));
      expect(await seenIn(as(guest))).toMatchObject({ permissions: ['account.read', 'member.list'] });
      await write('role.save', { ...role, customRoleId, permissions: ['account.read'] }, as(owner));
      expect(await seenIn(as(guest))).toMatchObject({ permissions: ['account.read'] });
      await write('profile.update', { firstName: `Round ${round}` }, as(guest));
      expect(await seenAs(as(guest))).toMatchObject({ member: { firstName: `Round ${round}` } });
      await write('membership.leave', {}, as(leaver));
      expect(await seenIn(as(leaver))).toBe(403);
      await write('account.transferOwnership', { memberId: heir.id }, as(owner));
      await write('membership.remove', { memberId: owner.id }, as(heir));
      expect(await seenIn(as(owner))).toBe(403);
      await write('account.close', { name: `Forge ${round}` }, as(heir));
      expect(await seenIn(as(guest))).toBe(403);
      await write('account.restore', { accountId }, as(heir));
      expect(await seenIn(as(guest))).toMatchObject({ accountName: `Forge ${round}` });
      await write('member.deleteOwn', {}, { token: leaver.token });
      expect(await seenAs(leaver)).toBe(401);
      await write('member.deleteOwn', {}, { token: owner.token });
      const link = (await readOutbox(other)).find(
        ({ kind, to }) => kind === 'memberDeleted' && to === owner.email,
      )?.token;
      await write('member.restoreOwn', { token: link }, { token: '' });
      await dying[Symbol.asyncDispose]();

      expect(await seenIn(as(heir))).toMatchObject({ role: 1, accountName: `Forge ${round}` });
      expect(await seenIn(as(guest))).toMatchObject({ permissions: ['account.read'] });
      expect(await seenAs(as(guest))).toMatchObject({ member: { firstName: `Round ${round}` } });
      expect(await seenAs(leaver)).toBe(401);
      const { accounts, members } = db.tables;
      const account = (await db.select().from(accounts)).find(({ id }) => id === accountId);
      expect(account?.ownerId).toBe(heir.id);
      const restored = (await db.select().from(members)).find(({ id }) => id === owner.id);
      expect(restored?.isDeleted).toBe(false);
    }
    printMeasurements('what people change survives kill -9', { rounds: total, writes, lost: 0 });
  });
});

async function joinAs(
  db: Parameters<typeof insertTestMember>[0],
  { id: memberId }: TestMember,
  accountId: number,
): Promise<void> {
  const { memberships } = db.tables;
  await db.insert(memberships, { memberId, accountId, roleType: 5, createdAtMs: 1, updatedAtMs: 1 });
}

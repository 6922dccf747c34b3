import { startKilledService } from '@gatehouse/features/test/killed-service';
import { knownHash } from '@gatehouse/features/test/known-hash';
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
const PASSWORD = 'Lantern-Harbor-42';
/** Later than anything a test waits for: the process is killed on command. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;

/** Every procedure of members for people, accounts and their own data that changes access. */
const WRITES = [
  'account.close',
  'account.create',
  'account.rename',
  'account.restore',
  'account.transferOwnership',
  'email.approve',
  'email.change',
  'invitation.accept',
  'invitation.join',
  'member.deleteOwn',
  'member.restoreOwn',
  'membership.changeRole',
  'membership.leave',
  'membership.remove',
  'password.set',
  'profile.update',
  'role.remove',
  'role.save',
];

const withId = z.looseObject({ id: z.number() });
const me = z.looseObject({
  member: z.looseObject({
    firstName: z.string().nullable(),
    pendingEmail: z.string().nullable(),
    awaits: z.array(z.string()),
    hasPassword: z.boolean(),
  }),
  currentAccount: z
    .looseObject({ accountName: z.string(), role: z.number(), permissions: z.array(z.string()) })
    .nullable(),
});

interface Caller {
  readonly token: string;
  readonly accountId?: number;
}

describe('a change that people make', () => {
  it('is visible to the next request on the other node, and survives when the answering service is killed', {
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
    const passwordHash = await knownHash(PASSWORD);
    const person = (): Promise<TestMember> => insertTestMember(db, { isConfirmed: true, passwordHash });
    const linkTo = async ({ email }: Pick<TestMember, 'email'>, kind: string): Promise<string> =>
      (await readOutbox(other)).find((mail) => mail.kind === kind && mail.to === email)?.token ?? '';
    const { accounts, customRoles, members } = db.tables;
    const written = new Set<string>();

    const total = rounds({ suite: 1, stress: 30 });
    let writes = 0;
    for (let round = 0; round < total; round += 1) {
      const [owner, heir, guest, leaver] = [await person(), await person(), await person(), await person()];
      const [invited, mover] = [await person(), await person()];
      const newcomer = await insertTestMember(db, { isConfirmed: true, hasPassword: false });
      const elsewhere = await newcomer.signInAgain();
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
        const body: unknown = await response.json();
        expect([name, response.status]).toEqual([name, 200]);
        written.add(name);
        writes += 1;
        return body;
      };
      const made = async (...call: Parameters<typeof write>) =>
        z.object({ data: withId }).parse(await write(...call)).data;

      const { id: accountId } = await made('account.create', { name: `Kiln ${round}` }, owner);
      const as = ({ token }: TestMember): Caller => ({ token, accountId });
      expect(await seenIn(as(owner))).toMatchObject({ role: 1 });
      for (const who of [heir, guest, leaver]) await joinAs(db, who, accountId);

      await write('invitation.create', { email: invited.email, roleType: 3 }, as(owner));
      await write('invitation.accept', { token: await linkTo(invited, 'invitation') }, invited);
      expect(await seenIn(as(invited))).toMatchObject({ role: 3 });
      const joining = { email: `joiner-${round}@kiln.test` };
      await write('invitation.create', { ...joining, roleType: 4 }, as(owner));
      const username = `joiner-${round}`;
      const joined = z
        .looseObject({ token: z.string() })
        .parse(
          await write(
            'invitation.join',
            { token: await linkTo(joining, 'invitation'), username, password: 'Copper-Meadow-17' },
            { token: '' },
          ),
        );
      expect(await seenIn({ token: joined.token, accountId })).toMatchObject({ role: 4 });

      const moved = `moved-${round}@kiln.test`;
      await write('email.change', { email: moved }, mover);
      expect(await seenAs(mover)).toMatchObject({ member: { pendingEmail: moved, awaits: ['old', 'new'] } });
      await write('email.approve', { token: await linkTo(mover, 'addressApproval'), approve: true }, mover);
      expect(await seenAs(mover)).toMatchObject({ member: { pendingEmail: moved, awaits: ['new'] } });
      expect(await seenAs({ token: elsewhere })).toMatchObject({ member: { hasPassword: false } });
      await write('password.set', { newPassword: 'Copper-Meadow-17' }, newcomer);
      expect(await seenAs(newcomer)).toMatchObject({ member: { hasPassword: true } });
      expect(await seenAs({ token: elsewhere })).toBe(401);

      await write('account.rename', { name: `Forge ${round}` }, as(owner));
      expect(await seenIn(as(owner))).toMatchObject({ accountName: `Forge ${round}` });
      const role = { name: 'Reader', roleType: 5, permissions: ['account.read', 'member.list'] };
      const { id: customRoleId } = await made('role.save', role, as(owner));
      await write('membership.changeRole', { memberId: guest.id, customRoleId }, as(owner));
      expect(await seenIn(as(guest))).toMatchObject({ permissions: ['account.read', 'member.list'] });
      await write('role.save', { ...role, customRoleId, permissions: ['account.read'] }, as(owner));
      expect(await seenIn(as(guest))).toMatchObject({ permissions: ['account.read'] });
      const unused = await made('role.save', { ...role, name: 'Unused' }, as(owner));
      await write('role.remove', { customRoleId: unused.id }, as(owner));
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
      const restoring = { token: await linkTo(owner, 'memberDeleted'), password: PASSWORD };
      await write('member.restoreOwn', restoring, { token: '' });
      await write('email.change', { email: `denied-${round}@kiln.test` }, invited);
      await write(
        'email.approve',
        { token: await linkTo(invited, 'addressApproval'), approve: false },
        invited,
      );
      expect(await seenAs(invited)).toBe(401);
      await dying[Symbol.asyncDispose]();

      expect(await seenIn(as(heir))).toMatchObject({ role: 1, accountName: `Forge ${round}` });
      expect(await seenIn(as(guest))).toMatchObject({ permissions: ['account.read'] });
      expect(await seenAs(as(guest))).toMatchObject({ member: { firstName: `Round ${round}` } });
      expect(await seenAs(leaver)).toBe(401);
      expect(await seenIn({ token: joined.token, accountId })).toMatchObject({ role: 4 });
      expect(await seenAs(invited)).toBe(401);
      expect(await seenAs(mover)).toMatchObject({ member: { pendingEmail: moved, awaits: ['new'] } });
      expect(await seenAs(newcomer)).toMatchObject({ member: { hasPassword: true } });
      expect(await seenAs({ token: elsewhere })).toBe(401);
      const roles = (await db.select().from(customRoles)).filter((row) => row.accountId === accountId);
      expect(roles.map(({ id }) => id)).toEqual([customRoleId]);
      const account = (await db.select().from(accounts)).find(({ id }) => id === accountId);
      expect(account?.ownerId).toBe(heir.id);
      const restored = (await db.select().from(members)).find(({ id }) => id === owner.id);
      expect(restored?.isDeleted).toBe(false);
    }
    expect([...written].filter((name) => name !== 'invitation.create').toSorted()).toEqual(WRITES);
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

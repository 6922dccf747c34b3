import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { readOutbox } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { changeColumn } from '../../test/change-column.js';
import { TRANSPORTS } from '../../test/people-world.js';
import { type Planted, plant } from '../../test/planted-member.js';
import { type SupportWorld, startSupportWorld } from '../../test/support-world.js';

const NEW_PASSWORD = 'Copper-Meadow-17';

const mailsTo = async (world: SupportWorld, email: string) =>
  (await readOutbox(world.main)).filter(({ to }) => to === email);

const kindsTo = async (world: SupportWorld, email: string) =>
  (await mailsTo(world, email)).map(({ kind }) => kind);

/** Whether no planted credential signs in any more. */
async function expectClosed(world: SupportWorld, { id, email, token, connectionId }: Planted): Promise<void> {
  const { members, socialConnections, totpFactors } = world.db.tables;
  expect(await world.statuses({ token })).toEqual([401, 401, 401]);
  for (const node of [world.main, world.admin, world.otherAdmin])
    expect(await world.signIn(email, node)).toBeUndefined();
  const rows = await world.db.select().from(members);
  expect(rows.find((row) => row.id === id)).toMatchObject({
    authTokenDigest: null,
    pendingEmail: null,
    hasPassword: false,
    secondFactor: false,
    ownerProvenAtMs: null,
  });
  const factors = await world.db.select().from(totpFactors);
  const connections = await world.db.select().from(socialConnections);
  expect(factors.filter(({ memberId }) => memberId === id)).toEqual([]);
  expect(connections.filter((row) => row.id === connectionId)).toEqual([]);
}

describe('a member whose address nobody has proven', () => {
  it.each(TRANSPORTS)(
    'becomes staff with no earlier way to sign in, and only through the mailbox, over %s',
    async (transport) => {
      await using world = await startSupportWorld();
      for (const isConfirmed of [false, true]) {
        const planted = await plant(world, { isConfirmed });
        const how = { transport };
        const answer = await world.call('personnel.promote', { memberId: planted.id }, world.root, how);
        expect([answer.status, answer.data]).toEqual([
          200,
          expect.objectContaining({ active: true, role_type: 6, pendingEmail: null }),
        ]);
        await expectClosed(world, planted);
        const [mail, ...others] = await mailsTo(world, planted.email);
        expect([mail?.kind, others]).toEqual(['staffInvitation', []]);
        expect(mail?.text).toContain('were removed');
        const body = { token: mail?.token, password: NEW_PASSWORD };
        expect((await world.main.send('/resetPassword', { body })).status).toBe(200);
        const entered = await world.admin.send('/webauthenticate', {
          body: { email: planted.email, password: NEW_PASSWORD },
        });
        expect(entered.status).toBe(200);
        const filter = { subjectKind: 'member', subjectId: String(planted.id) };
        const lines = (await world.call('audit.list', filter, world.root)).data as { action: string }[];
        expect(lines.map(({ action }) => action)).toEqual(
          expect.arrayContaining(['personnel.promoted', 'member.sign-ins-ended']),
        );
      }
    },
  );

  it('is invited again, and corrected at once, like a colleague who has not joined', async () => {
    await using world = await startSupportWorld();
    const planted = await plant(world, { isConfirmed: true });
    await world.call('personnel.promote', { memberId: planted.id }, world.root);
    const again = await world.call('personnel.reinvite', { personnelId: planted.id }, world.root);
    expect(again.status).toBe(200);
    expect(await kindsTo(world, planted.email)).toEqual(['staffInvitation', 'staffInvitation']);
    const email = 'the-right-one@gatehouse.test';
    const fixed = await world.call('personnel.save', { personnelId: planted.id, email }, world.root);
    expect(fixed.data).toMatchObject({ email, pendingEmail: null, emailVerified: false });
    const [mail] = await mailsTo(world, planted.email);
    const body = { token: mail?.token, password: NEW_PASSWORD };
    expect((await world.main.send('/resetPassword', { body })).status).toBe(403);
  });

  it('cannot become staff without an address, and the change is undone as a whole', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ isWithoutAddress: true });
    const answer = await world.call('personnel.promote', { memberId: member.id }, world.root);
    expect([answer.status, answer.code]).toEqual([409, 'no_address']);
    expect(await findAccessSnapshot(world.db, member.id, world.nowMs())).toMatchObject({
      isPersonnel: false,
      roleType: 5,
    });
    expect(await world.statuses({ token: member.token })).toEqual([200, 200, 200]);
  });

  it('is unchanged while no invitation may be sent to the address, and the answer says when it may', async () => {
    await using world = await startSupportWorld();
    const planted = await plant(world);
    await world.call('personnel.promote', { memberId: planted.id }, world.root);
    for (let sent = 1; sent < 5; sent += 1)
      expect((await world.call('personnel.reinvite', { personnelId: planted.id }, world.root)).status).toBe(
        200,
      );
    const off = { personnelId: planted.id, active: false };
    expect((await world.call('personnel.save', off, world.root)).status).toBe(200);
    const on = await world.call('personnel.save', { ...off, active: true }, world.root);
    expect([on.status, on.code]).toEqual([429, 'rate_limited']);
    expect(await findAccessSnapshot(world.db, planted.id, world.nowMs())).toMatchObject({
      isPersonnel: false,
    });
  });

  it('loses every way to sign in for good when they were staff and are banned, even for a while', async () => {
    await using world = await startSupportWorld();
    const planted = await plant(world, { roleType: 6, isPersonnel: true, grants: [2] });
    const until = new Date(world.nowMs() + 60_000).toISOString();
    expect((await world.call('member.ban', { memberId: planted.id, until }, world.root)).status).toBe(200);
    world.wait(61_000);
    await expectClosed(world, planted);
    expect(await kindsTo(world, planted.email)).toEqual(['staffAccessChanged']);
  });
});

describe('a member whose owner has proven the address', () => {
  it('becomes staff with the password they have, signs in again, and is notified by mail', async () => {
    await using world = await startSupportWorld();
    const member = await world.member({ isProven: true });
    const place = { table: 'members', column: 'auth_token_digest', id: member.id };
    await changeColumn(world.db, place, `digest-${member.id}`);
    expect(await world.statuses({ token: member.token })).toEqual([200, 200, 200]);
    const answer = await world.call('personnel.promote', { memberId: member.id }, world.root);
    expect(answer.status).toBe(200);
    expect(await world.statuses({ token: member.token })).toEqual([401, 401, 401]);
    const { members } = world.db.tables;
    const rows = await world.db.select().from(members);
    expect(rows.find(({ id }) => id === member.id)).toMatchObject({
      authTokenDigest: null,
      hasPassword: true,
    });
    expect(await kindsTo(world, member.email)).toEqual(['staffAccessChanged']);
    expect((await mailsTo(world, member.email))[0]?.text).toContain('Account manager');
    expect(await world.signIn(member.email, world.admin)).toBeDefined();
  });
});

describe('every rise and fall of staff authority', () => {
  it('ends their sessions on every node with the next request and notifies them, and nothing else does', async () => {
    await using world = await startSupportWorld();
    const { root } = world;
    const colleague = await world.member({ roleType: 6, isPersonnel: true, grants: [2] });
    const { id: memberId, email } = colleague;
    const personnelId = memberId;
    const changes: [name: string, input: object, isChange: boolean][] = [
      ['personnel.save', { personnelId, accountIds: [2, 3] }, true],
      ['personnel.save', { personnelId, accountIds: [2, 3] }, false],
      ['personnel.save', { personnelId, accountIds: [3] }, true],
      ['personnel.save', { personnelId, firstName: 'Another' }, false],
      ['personnel.save', { personnelId, roleType: 0 }, true],
      ['personnel.save', { personnelId, accountIds: [1, 2, 3] }, false],
      ['member.update', { memberId, role: 'Chief' }, false],
      ['member.update', { memberId, roleType: 1 }, true],
      ['personnel.promote', { memberId }, true],
      ['membership.save', { memberId, accountId: 2, roleType: 2 }, false],
      ['membership.remove', { memberId, accountId: 2 }, false],
      ['personnel.save', { personnelId, active: false }, true],
      ['personnel.save', { personnelId, active: true }, true],
    ];
    let told = 0;
    for (const [name, input, isChange] of changes) {
      const token = (await world.signIn(email)) ?? '';
      expect(await world.statuses({ token })).toEqual([200, 200, 200]);
      expect([name, input, (await world.call(name, input, root)).status]).toEqual([name, input, 200]);
      const expected = isChange ? [401, 401, 401] : [200, 200, 200];
      expect([name, input, await world.statuses({ token })]).toEqual([name, input, expected]);
      if (isChange) told += 1;
      const kinds = await kindsTo(world, email);
      const notices = kinds.filter((kind) => kind === 'staffAccessChanged');
      expect([name, input, notices.length]).toEqual([name, input, told]);
    }
  });

  it('notifies them of a ban, its end, a removal and a restoration, each once', async () => {
    await using world = await startSupportWorld();
    const colleague = await world.member({ roleType: 6, isPersonnel: true, grants: [2] });
    const { id: memberId, email } = colleague;
    const steps: [name: string, input: object][] = [
      ['member.ban', { memberId }],
      ['member.unban', { memberId }],
      ['member.remove', { memberId }],
      ['member.restore', { memberId, reason: 'A mistake' }],
    ];
    for (const [index, [name, input]] of steps.entries()) {
      expect([name, (await world.call(name, input, world.root)).status]).toEqual([name, 200]);
      expect(await kindsTo(world, email)).toHaveLength(index + 1);
    }
    const texts = (await mailsTo(world, email)).map(({ text }) => text.includes('ended on'));
    expect(texts).toEqual([false, true, false, true]);
    expect(await world.signIn(email, world.admin)).toBeDefined();
  });

  it('does not affect a colleague who was invited and has not joined', async () => {
    await using world = await startSupportWorld();
    const person = { email: 'new@gatehouse.test', firstName: 'New', lastName: 'Lind', roleType: 6 };
    const { data } = await world.call('personnel.save', person, world.root);
    const { id: personnelId } = data as { id: number };
    await world.call('personnel.save', { personnelId, accountIds: [2] }, world.root);
    await world.call('personnel.save', { personnelId, roleType: 0 }, world.root);
    const [mail, ...others] = await mailsTo(world, person.email);
    expect([mail?.kind, others]).toEqual(['staffInvitation', []]);
    const body = { token: mail?.token, password: NEW_PASSWORD };
    expect((await world.main.send('/resetPassword', { body })).status).toBe(200);
  });
});

describe('an address that is taken', () => {
  it('is refused with the safe alternative: promote the member who has it, or correct it', async () => {
    await using world = await startSupportWorld();
    const planted = await plant(world);
    const person = { email: planted.email, firstName: 'New', lastName: 'Lind', roleType: 6 };
    const added = await world.call('personnel.save', person, world.root);
    expect([added.status, added.code, added.issues]).toEqual([
      409,
      'email_taken',
      [{ path: 'email', message: expect.stringContaining(`Member ${planted.id} has this address`) }],
    ]);
    expect(added.issues[0]?.message).toContain('promote that member');
    const change = { personnelId: world.manager.id, email: world.root.email };
    const changed = await world.call('personnel.save', change, world.root);
    expect(changed.issues[0]?.message).toContain('who is staff');
    await changeAccess(world.db, { members: [planted.id] }, (tx) =>
      removeMember(tx, { memberId: planted.id, deletedById: 1, nowMs: world.nowMs() }),
    );
    expect((await world.call('personnel.save', person, world.root)).issues[0]?.message).toContain(
      'who is deleted',
    );
  });
});

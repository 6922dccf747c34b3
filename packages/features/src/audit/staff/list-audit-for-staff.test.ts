import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { insertAudit } from '@gatehouse/db/queries/audit-log';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

interface Entry {
  id: number;
  action: string;
  actorId: number;
  onBehalfOfId: number | null;
  accountId: number | null;
  accountName: string | null;
  subjectName: string | null;
  subjectKind: string;
  subjectId: string;
  address: string;
  requestId: string;
  before: unknown;
  after: unknown;
}

async function entries(world: StaffWorld, filter: object = {}): Promise<Entry[]> {
  const { status, body } = await world.call('audit.list', { limit: 200, ...filter }, world.root);
  expect(status).toBe(200);
  return body['data'] as Entry[];
}

describe('the audit log', () => {
  it('has one entry for each change: who, what, before and after', async () => {
    await using world = await startStaffWorld();
    const { root, member, service } = world;
    const memberId = member.id;
    const affiliate = { memberId, code: 'AUDIT', commissionPercent: 7.25, payoutEmail: 'pay@out.test' };
    const changes: [name: string, input: object, expected: object][] = [
      [
        'member.update',
        { memberId, firstName: 'Renamed' },
        { action: 'member.updated', before: { firstName: 'Test' }, after: { firstName: 'Renamed' } },
      ],
      [
        'member.update',
        { memberId, roleType: 3 },
        { before: { roleType: 5, role: 'Test' }, after: { roleType: 3, role: 'Contributor' } },
      ],
      ['member.update', { memberId, email: 'next@many.test' }, { after: { pendingEmail: 'next@many.test' } }],
      [
        'membership.save',
        { memberId, accountId: 2, roleType: 2 },
        { action: 'membership.changed', accountId: 2, before: { roleType: 5 }, after: { roleType: 2 } },
      ],
      [
        'membership.save',
        { memberId, accountId: 3, roleType: 5 },
        { action: 'membership.added', accountId: 3, before: { roleType: null, active: null } },
      ],
      [
        'membership.remove',
        { memberId, accountId: 3 },
        { action: 'membership.removed', before: { roleType: 5, active: true }, after: null },
      ],
      [
        'affiliate.save',
        affiliate,
        { action: 'affiliate.added', after: { code: 'AUDIT', commissionBasisPoints: 725, active: true } },
      ],
      [
        'affiliate.save',
        { ...affiliate, active: false },
        { action: 'affiliate.changed', before: { active: true }, after: { active: false } },
      ],
      ['personnel.promote', { memberId }, { after: { roleType: 6, isPersonnel: true } }],
      [
        'personnel.save',
        { personnelId: memberId, accountIds: [3, 1] },
        { action: 'personnel.changed', before: { accountIds: [] }, after: { accountIds: [1, 3] } },
      ],
      [
        'personnel.save',
        { personnelId: memberId, active: false },
        { before: { isPersonnel: true }, after: { isPersonnel: false } },
      ],
      ['member.unlock', { memberId }, { action: 'member.unlocked' }],
      ['session.endFor', { memberId }, { action: 'session.all-ended' }],
      [
        'member.ban',
        { memberId },
        { action: 'member.banned', before: { roleType: 6 }, after: { roleType: 11 } },
      ],
      ['member.remove', { memberId }, { action: 'member.removed', after: null }],
    ];
    for (const [name, input, expected] of changes) {
      const before = await entries(world);
      expect([name, (await world.call(name, input, root)).status]).toEqual([name, 200]);
      const added = (await entries(world)).slice(0, -before.length || undefined);
      expect([name, added.length]).toEqual([name, 1]);
      expect(added[0]).toMatchObject({
        ...expected,
        actorId: root.id,
        onBehalfOfId: memberId,
        address: '127.0.0.1',
      });
    }
    const adminLines = service.logLines.filter((line) => line.includes('"event":"admin.change"'));
    expect(adminLines.length).toBe(changes.length - 1);
  });

  it('names who did it, for whom, and the member or account that was changed', async () => {
    await using world = await startStaffWorld();
    const { root, member } = world;
    await world.call('member.update', { memberId: member.id, firstName: 'Renamed', lastName: 'One' }, root);
    await world.call('account.remove', { accountId: 3 }, root);
    const [account, changed] = await entries(world);
    expect(changed).toMatchObject({ actorName: 'Test Member', onBehalfOfName: 'Renamed One' });
    expect(changed).toMatchObject({ subjectKind: 'member', subjectName: 'Renamed One' });
    expect(account).toMatchObject({ subjectKind: 'account', subjectName: 'Cedar Labs' });
    expect(account).toMatchObject({ accountId: 3, accountName: 'Cedar Labs' });
    expect(changed).toMatchObject({ accountId: null, accountName: null });
  });

  it('does not name accounts that require a session of a higher level', async () => {
    await using world = await startStaffWorld();
    const { database } = world.service;
    const line = { atMs: Date.now(), action: 'invoice.paid', subjectKind: 'account' };
    for (const subjectId of [2, 3]) await insertAudit(database, { ...line, subjectId });
    await insertAudit(database, { ...line, accountId: 2, subjectId: 2 });
    const names = async () =>
      (await entries(world, { action: 'invoice.paid' })).map(({ subjectName, accountName }) => [
        subjectName,
        accountName,
      ]);
    const cedar = ['Cedar Labs', null];
    expect(await names()).toEqual([['Birch & Co', 'Birch & Co'], cedar, ['Birch & Co', null]]);
    const policy = { accountId: 2, nowMs: Date.now(), requiredLevel: 2, requiredUntilThen: 1 };
    await changeAccess(database, { accounts: [2] }, (tx) =>
      setAccountPolicy(tx, { ...policy, requiredFromMs: null }),
    );
    expect(await names()).toEqual([cedar, [null, null]]);
  });

  it('has no entry for calls that changed nothing or were refused', async () => {
    await using world = await startStaffWorld();
    const { root, manager, member } = world;
    const before = (await entries(world)).length;
    await world.call(
      'member.update',
      { memberId: member.id, firstName: 'Test', roleType: 5, role: 'Test' },
      root,
    );
    await world.call('membership.save', { memberId: member.id, accountId: 2, roleType: 5 }, root);
    await world.call('personnel.save', { personnelId: manager.id, accountIds: [2] }, root);
    await world.call('member.update', { memberId: 8, firstName: 'Mine' }, manager);
    await world.call(
      'affiliate.save',
      { memberId: 9, code: 'NOPE', commissionPercent: 1, payoutEmail: 'a@b.test' },
      manager,
    );
    expect((await entries(world)).length).toBe(before);
  });

  it('is filtered by who, what, where and when, page by page', async () => {
    await using world = await startStaffWorld();
    const { root, manager, member } = world;
    await world.call('profile.update', { lastName: 'First' }, manager);
    await world.call('profile.update', { lastName: 'Second' }, manager);
    await world.call('membership.save', { memberId: member.id, accountId: 2, roleType: 4 }, root);
    expect((await entries(world, { actorId: manager.id })).map(({ action }) => action)).toEqual([
      'profile.updated',
      'profile.updated',
    ]);
    expect(await entries(world, { accountId: 2 })).toHaveLength(1);
    expect(await entries(world, { subjectKind: 'membership', subjectId: `2/${member.id}` })).toHaveLength(1);
    expect(await entries(world, { action: 'profile.updated', actorId: root.id })).toEqual([]);
    const [newest] = await entries(world, { accountId: 2 });
    expect(await entries(world, { requestId: newest?.requestId })).toEqual([newest]);
    expect(await entries(world, { requestId: 'nobody-sent-this' })).toEqual([]);
    expect(await entries(world, { from: '2999-01-01T00:00:00Z' })).toEqual([]);
    expect(await entries(world, { until: '2000-01-01T00:00:00Z' })).toEqual([]);
    const first = await world.call('audit.list', { limit: 1, actorId: manager.id }, root);
    const { nextCursor } = first.body['page'] as { nextCursor: string };
    const second = await world.call(
      'audit.list',
      { limit: 1, actorId: manager.id, cursor: nextCursor },
      root,
    );
    expect(second.body).toMatchObject({
      data: [{ after: { lastName: 'First' } }],
      page: { nextCursor: null },
    });
    for (const filter of [{ from: 'yesterday' }, { actorId: 0 }, { action: 'a\0b' }]) {
      expect((await world.call('audit.list', filter, root)).status).toBe(400);
    }
  });

  it('contains no secret, and neither does the log', async () => {
    await using world = await startStaffWorld();
    const { root, service } = world;
    const { body } = await world.call(
      'personnel.save',
      { email: 'new@gatehouse.test', firstName: 'New', lastName: 'Colleague', roleType: 6, accountIds: [2] },
      root,
    );
    const { id } = body['data'] as { id: number };
    const issued = await world.send('/auth/apiToken', root, {});
    const member = await insertTestMember(service.database, { memberships: { 2: 5 } });
    await world.call('member.remove', { memberId: member.id }, root);
    const hash = (await findCredentialById(service.database, id))?.password ?? '';
    expect(hash).toMatch(/^\$2b\$10\$/);
    const written = [JSON.stringify(await entries(world)), ...service.logLines].join('\n');
    for (const secret of [hash, root.token, member.token, issued.body['token'], '$2b$']) {
      expect(written).not.toContain(secret);
    }
  });
});

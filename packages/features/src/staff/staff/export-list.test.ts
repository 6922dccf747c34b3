import { router } from '@gatehouse/api-admin/router';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startStaffWorld } from '../../test/staff-world.js';
import { exportableList } from './export-list.js';

describe('an export of a member by staff', () => {
  it("equals the member's own export, and is in the audit log before it is read", async () => {
    await using world = await startStaffWorld();
    const input = { memberId: 8, reason: 'They asked in writing, by post' };
    const { status, body } = await world.call('member.export', input, world.root);
    expect(status).toBe(200);
    expect(body['data']).toMatchObject({
      format: 'gatehouse-export/1',
      profile: { id: 8, email: 'owner@birch.test' },
      memberships: [{ accountId: 2, isPrimaryOwner: true }],
    });
    expect(JSON.stringify(body)).not.toMatch(/\$2[aby]\$/);
    const { body: log } = await world.call('audit.list', { action: 'member.exported' }, world.root);
    expect(log['data']).toMatchObject([
      {
        actorId: world.root.id,
        onBehalfOfId: 8,
        subjectId: '8',
        after: { reason: input.reason, isFirstPage: true },
      },
    ]);
    expect((await world.call('member.export', input, world.manager)).code).toBe('permission_denied');
    expect((await world.call('member.export', { memberId: 8 }, world.root)).status).toBe(400);
    expect((await world.call('member.export', { ...input, memberId: 999_999 }, world.root)).code).toBe(
      'not_found',
    );
    expect((await world.call('member.export', { ...input, cursor: 'x' }, world.root)).status).toBe(400);
    const { body: after } = await world.call('audit.list', { action: 'member.exported' }, world.root);
    expect(after['data']).toHaveLength(1);
  });
});

describe('exports in one batch', () => {
  it('are each in the audit log', async () => {
    await using world = await startStaffWorld();
    const reason = 'They asked in writing, by post';
    const inputs = {
      0: { memberId: 8, reason },
      1: { memberId: 3, reason },
      2: { memberId: 8, reason: 'Again' },
    };
    const input = encodeURIComponent(JSON.stringify(inputs));
    const path = `/trpc/member.export,member.export,member.export?batch=1&input=${input}`;
    const response = await world.service.send(path, { token: world.root.token });
    expect(response.status).toBe(200);
    const { body } = await world.call('audit.list', { action: 'member.exported' }, world.root);
    const lines = body['data'] as { subjectId: string; after: { reason: string } }[];
    expect(lines.map(({ subjectId, after }) => `${subjectId} ${after.reason}`).toSorted()).toEqual(
      [`3 ${reason}`, `8 ${reason}`, '8 Again'].toSorted(),
    );
  });
});

describe('a list exported as CSV', () => {
  it('can be any list for staff, and is first in the audit log with its filters', async () => {
    await using world = await startStaffWorld();
    const lists = listProcedures(router).filter(
      ({ type, rule, output }) =>
        type === 'query' &&
        rule?.who === 'staff' &&
        rule.permission !== undefined &&
        /"page":/.test(JSON.stringify(output?.toJSONSchema({ unrepresentable: 'any' }) ?? {})),
    );
    expect(lists.length).toBeGreaterThan(10);
    expect(lists.map(({ name }) => name).toSorted()).toEqual([...exportableList.options].toSorted());

    const filters = { search: 'owner', state: 'live' };
    const begun = await world.send('/v1/export/begin', world.manager, { list: 'member.search', filters });
    const { exportId } = begun.body['data'] as { exportId: string };
    const { body } = await world.call('audit.list', { action: 'export.begun' }, world.root);
    expect(body['data']).toMatchObject([
      {
        actorId: world.manager.id,
        subjectKind: 'export',
        subjectId: exportId,
        after: { list: 'member.search', ...filters },
      },
    ]);
    const [row] = await world.service.database.select().from(world.service.database.tables.auditLog);
    expect(JSON.stringify(row)).not.toContain('owner');
  });

  it('requires what the list requires, and accepts only its filters', async () => {
    await using world = await startStaffWorld();
    const { manager, root, service } = world;
    const begin = async (input: object, as = manager) => (await world.call('export.begin', input, as)).code;
    expect(await begin({ list: 'audit.list' })).toBe('permission_denied');
    expect(await begin({ list: 'audit.list' }, root)).toBeUndefined();
    expect(await begin({ list: 'personnel.list' })).toBeUndefined();
    const staff = await insertTestMember(service.database, { roleType: 5, isPersonnel: true });
    expect(await begin({ list: 'personnel.list' }, staff)).toBe('permission_denied');
    expect(await begin({ list: 'member.search' }, world.member)).toBe('permission_denied');
    const elsewhere = await service.send('/v1/export/begin', {
      token: manager.token,
      accountId: 1,
      body: { list: 'member.search' },
    });
    expect(elsewhere.status).toBe(403);
    for (const input of [
      {},
      { list: 'member.page' },
      { list: 'constructor' },
      { list: 'member.search', filters: { state: 'gone' } },
      { list: 'member.search', filters: { name: 'x' } },
      { list: 'webhook.list', filters: { list: 'partner.list' } },
      { list: 'securityEvent.listFor', filters: { memberId: 3, note: 'a@b.test' } },
      { list: 'session.listFor', filters: {} },
    ])
      expect([input, await begin(input, root)]).toEqual([input, 'invalid_input']);
  });
});

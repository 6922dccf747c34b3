import { createApp } from '@gatehouse/api-admin/app';
import { insertTestMember, startService } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { insertTestInvitation } from '../../test/invitations.js';

const dialect = inject('dialect');

it('staff make a member an owner only after a recent verification', async () => {
  let nowMs = Date.now();
  await using admin = await startService(createApp, { dialect, application: 'admin', now: () => nowMs });
  const root = await insertTestMember(admin.database, { roleType: 0, isPersonnel: true });
  const subject = await insertTestMember(admin.database, { memberships: { 1: 5 } });
  const save = async (roleType: number, active = true) => {
    const body = { memberId: subject.id, accountId: 1, roleType, active };
    const response = await admin.send('/v1/membership/save', { token: root.token, body });
    const { error } = (await response.json()) as { error?: { code: string } };
    return [response.status, error?.code];
  };
  nowMs += 660_000;
  expect(await save(1)).toEqual([403, 'verification_required']);
  expect(await save(0)).toEqual([403, 'verification_required']);
  expect(await save(3)).toEqual([200, undefined]);
  nowMs -= 660_000;
  expect(await save(1)).toEqual([200, undefined]);
  nowMs += 660_000;
  expect(await save(1)).toEqual([200, undefined]);
  expect(await save(1, false)).toEqual([200, undefined]);
  expect(await save(1)).toEqual([403, 'verification_required']);
});

it('the audit log has an entry when a custom role is replaced by the base role of its rank', async () => {
  await using admin = await startService(createApp, { dialect, application: 'admin' });
  const { database } = admin;
  const { auditLog, customRoles, memberships } = database.tables;
  const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
  const subject = await insertTestMember(database, { memberships: { 1: 2 } });
  const at = { createdAtMs: 1, updatedAtMs: 1 };
  const role = { accountId: 1, name: 'Reader', nameKey: 'reader', roleType: 2 };
  const permissions = ['account.read'];
  const customRoleId = await database.insert(customRoles, { ...role, permissions, ...at });
  await database.write(database.update(memberships).set({ customRoleId }));
  const body = { memberId: subject.id, accountId: 1, roleType: 2 };
  expect((await admin.send('/v1/membership/save', { token: root.token, body })).status).toBe(200);
  const lines = await database.select().from(auditLog);
  expect(lines.filter(({ action }) => action === 'membership.changed')).toMatchObject([
    { before: { customRoleId }, after: { customRoleId: null } },
  ]);
});

it('staff give a custom role of the account, within what they may do, and exactly one role at a time', async () => {
  await using admin = await startService(createApp, { dialect, application: 'admin' });
  const { database } = admin;
  const { customRoles } = database.tables;
  const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
  const manager = await insertTestMember(database, { roleType: 2, isPersonnel: true, grants: [1] });
  const subject = await insertTestMember(database, { memberships: { 1: 3 } });
  const at = { createdAtMs: 1, updatedAtMs: 1 };
  const role = { accountId: 1, roleType: 5, ...at };
  const make = (name: string, more: object) =>
    database.insert(customRoles, { ...role, name, nameKey: name, permissions: ['account.read'], ...more });
  const [reader, payer, theirs] = [
    await make('reader', {}),
    await make('payer', { permissions: ['account.read', 'billing.manage'] }),
    await make('theirs', { accountId: 2 }),
  ];
  const save = async (input: object, { token } = root) => {
    const body = { memberId: subject.id, accountId: 1, ...input };
    const response = await admin.send('/v1/membership/save', { token, body });
    const { error, data } = (await response.json()) as { error?: { code: string }; data?: object };
    return [response.status, error?.code ?? data];
  };
  const place = { memberId: subject.id, accountId: 1, active: true };
  expect(await save({ customRoleId: reader })).toEqual([
    200,
    { ...place, roleType: 5, customRoleId: reader },
  ]);
  expect(await save({ customRoleId: theirs })).toEqual([404, 'not_found']);
  expect(await save({ customRoleId: reader, roleType: 5 })).toEqual([400, 'invalid_input']);
  expect(await save({})).toEqual([400, 'invalid_input']);
  expect(await save({ customRoleId: payer }, manager)).toEqual([403, 'permission_denied']);
  expect(await save({ customRoleId: payer, active: false }, manager)).toEqual([403, 'permission_denied']);
  expect(await save({ roleType: 5 })).toEqual([200, { ...place, roleType: 5, customRoleId: null }]);
});

it.each([
  ['remove a member from an account', '/v1/membership/remove', {}],
  ['switch off a member of an account', '/v1/membership/save', { roleType: 2, active: false }],
] as const)('staff who %s revoke their invitations to it', async (_, path, how) => {
  await using admin = await startService(createApp, { dialect, application: 'admin' });
  const { database } = admin;
  const { auditLog, invitations } = database.tables;
  const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
  const inviter = await insertTestMember(database, { memberships: { 1: 1, 2: 1 } });
  const subject = await insertTestMember(database, { memberships: { 1: 2 } });
  const invited = { email: subject.email, inviterId: inviter.id };
  const id = await insertTestInvitation(database, { ...invited, accountId: 1 });
  const elsewhere = await insertTestInvitation(database, { ...invited, accountId: 2 });
  const body = { memberId: subject.id, accountId: 1, ...how };
  expect((await admin.send(path, { token: root.token, body })).status).toBe(200);
  const states = await database.select({ id: invitations.id, status: invitations.status }).from(invitations);
  expect(Object.fromEntries(states.map((each) => [each.id, each.status]))).toMatchObject({
    [id]: 'revoked',
    [elsewhere]: 'open',
  });
  const lines = await database.select().from(auditLog);
  expect(lines.filter(({ action }) => action === 'invitation.revoked')).toMatchObject([{ actorId: root.id }]);
});

it('staff assign no role with a permission that they lack', async () => {
  await using service = await startService(createApp, { dialect, application: 'admin' });
  const { database } = service;
  const { customRoles, memberships } = database.tables;
  const person = { roleType: 6, isPersonnel: true, isConfirmed: true };
  const staff = await insertTestMember(database, { ...person, memberships: { 1: 2 } });
  const permissions = ['account.read', 'member.list', 'member.manage'];
  const role = { accountId: 1, name: 'Desk', nameKey: 'desk', roleType: 2, permissions };
  const customRoleId = await database.insert(customRoles, { ...role, createdAtMs: 1, updatedAtMs: 1 });
  await database.write(database.update(memberships).set({ customRoleId }));
  const subject = await insertTestMember(database, { memberships: { 1: 5 } });
  const save = async (more: object) => {
    const body = { memberId: subject.id, accountId: 1, ...more };
    return (await service.send('/v1/membership/save', { token: staff.token, accountId: 1, body })).status;
  };
  expect(await save({ roleType: 2 })).toBe(403);
  // A member with a custom role can still be disabled.
  await database.write(database.update(memberships).set({ customRoleId }));
  expect(await save({ roleType: 5, active: false })).toBe(200);
});

// @module-tag slow
import { randomId } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findOpenRecovery, insertRecovery } from '@gatehouse/db/queries/recoveries';
import { deleteOwnMember } from '@gatehouse/db/queries/remove-member';
import { insertTestMember, type TestMember, type TestMemberOptions } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { insertTestMail } from '../../test/insert-test-mail.js';
import { type StaffWorld, startStaffWorld } from '../../test/staff-world.js';

/** Account 2 is granted to staff, account 3 is not. */
const GRANTED = 2;

const OTHER = 3;

const STAFF: Readonly<Record<string, TestMemberOptions>> = {
  'role 0': { roleType: 0 },
  'an account manager with a grant': { roleType: 6, grants: [GRANTED] },
  'a designer with a grant, who ranks below managers': { roleType: 4, grants: [GRANTED] },
  'a contributor of the granted account, who only reads': {
    roleType: 6,
    grants: [GRANTED],
    memberships: { [GRANTED]: 3 },
  },
};

interface Subject {
  readonly id: number;
  readonly recoveryId: number;
}

type MakeSubject = (world: StaffWorld) => Promise<number>;

const member = (options: TestMemberOptions) => async (world: StaffWorld) =>
  (await insertTestMember(world.service.database, { isConfirmed: true, ...options })).id;

async function one(world: StaffWorld): Promise<number> {
  return member({ memberships: { [GRANTED]: 5 } })(world);
}

const SUBJECTS: Readonly<Record<string, MakeSubject>> = {
  'the least of members there': one,
  'a manager there': member({ memberships: { [GRANTED]: 2 } }),
  'an owner there': member({ roleType: 1, memberships: { [GRANTED]: 1 } }),
  'a member of another account too': member({ memberships: { [GRANTED]: 5, [OTHER]: 5 } }),
  'a member without an address': member({ memberships: { [GRANTED]: 5 }, isWithoutAddress: true }),
  'a colleague': member({ roleType: 6, isPersonnel: true, memberships: { [GRANTED]: 5 } }),
  'a colleague who was invited': async (world) => {
    const person = { firstName: 'Ina', lastName: 'Invited', email: `${randomId()}@many.test`, roleType: 6 };
    const { body } = await world.call('personnel.save', person, world.root);
    const { id: memberId } = body['data'] as { id: number };
    const place = { memberId, accountId: GRANTED, roleType: 5 };
    expect((await world.call('membership.save', place, world.root)).status).toBe(200);
    return memberId;
  },
  'one who is banned': async (world) => {
    const memberId = await one(world);
    expect((await world.call('member.ban', { memberId }, world.root)).status).toBe(200);
    return memberId;
  },
  'one who deleted themselves': async (world) => {
    const { database } = world.service;
    const memberId = await one(world);
    const nowMs = Date.now();
    await changeAccess(database, { members: [memberId] }, (tx) =>
      deleteOwnMember(tx, { memberId, erasesAtMs: nowMs + 86_400_000, nowMs }),
    );
    return memberId;
  },
  'one who is deleted': async (world) => {
    const memberId = await one(world);
    expect((await world.call('member.remove', { memberId }, world.root)).status).toBe(200);
    return memberId;
  },
};

/** The refusals of the service for something that is not for the caller, or not for this member. */
const REFUSALS: readonly (string | undefined)[] = [
  'permission_denied',
  'not_found',
  'invalid_input',
  'no_address',
  'invitation_used',
  'unconfirmed',
];

/** Each action, as its procedure is called. */
const CALLS: Readonly<
  Record<string, (subject: Subject, world: StaffWorld) => Promise<[string, unknown]> | [string, unknown]>
> = {
  unlock: ({ id }) => ['member.unlock', { memberId: id }],
  sendReset: ({ id }) => ['member.sendReset', { memberId: id }],
  sendConfirmation: ({ id }) => ['member.sendConfirmation', { memberId: id }],
  retryMail: async ({ id }, { service }) => {
    const mailId = await insertTestMail(service.database, {
      memberId: id,
      state: 'dead',
      recipient: 'a@b.test',
    });
    return ['mail.retry', { mailId }];
  },
  seeSessions: ({ id }) => ['session.listFor', { memberId: id }],
  endSessions: ({ id }) => ['session.endFor', { memberId: id }],
  changeName: ({ id }) => ['member.update', { memberId: id, firstName: 'Nora' }],
  changeAddress: ({ id }) => ['member.update', { memberId: id, email: `new${id}@many.test` }],
  ban: ({ id }) => ['member.ban', { memberId: id }],
  unban: ({ id }) => ['member.unban', { memberId: id }],
  impersonate: ({ id }) => [
    'impersonation.start',
    { memberId: id, reason: 'A ticket about the invoice', accountId: GRANTED },
  ],
  reinvite: ({ id }) => ['personnel.reinvite', { personnelId: id }],
  promote: ({ id }) => ['personnel.promote', { memberId: id }],
  openRecovery: ({ id }) => ['recovery.open', { memberId: id, reason: 'The phone was lost' }],
  approveRecovery: ({ recoveryId }) => ['recovery.approve', { recoveryId }],
  cancelRecovery: ({ recoveryId }) => ['recovery.cancel', { recoveryId }],
  remove: ({ id }) => ['member.remove', { memberId: id, closeAccounts: true }],
  restore: ({ id }) => ['member.restore', { memberId: id, reason: 'why' }],
  export: ({ id }) => ['member.export', { memberId: id, reason: 'why' }],
};

async function actionsOn(world: StaffWorld, memberId: number, as: TestMember) {
  const { status, body } = await world.call('member.page', { memberId }, as);
  if (status !== 200) return undefined;
  return (body['data'] as { actions: string[] }).actions;
}

/** Each action on each kind of member: whether the page names it, and what the service does. */
async function walk(world: StaffWorld, options: TestMemberOptions) {
  const { database } = world.service;
  const said: string[] = [];
  const done: string[] = [];
  for (const [which, make] of Object.entries(SUBJECTS)) {
    const withRecovery = async (): Promise<Subject> => {
      const id = await make(world);
      const times = { openedAtMs: Date.now(), effectiveAtMs: Date.now() + 9e7 };
      const opened = { openedById: 1, needsApproval: true, reason: 'The phone was lost' };
      await insertRecovery(database, { memberId: id, ...opened, ...times });
      return { id, recoveryId: (await findOpenRecovery(database, id))?.id ?? 0 };
    };
    const asker = await insertTestMember(database, { isPersonnel: true, ...options });
    const subject = await withRecovery();
    const actions = await actionsOn(world, subject.id, asker);
    for (const [action, call] of Object.entries(CALLS)) {
      const isNamed = actions?.includes(action) ?? false;
      // A refused call changes nothing; others are made for another member of the same kind.
      const [name, input] = await call(isNamed ? await withRecovery() : subject, world);
      const { status, code } = await world.call(name, input, asker);
      said.push(`${which}: ${action} ${isNamed ? 'is done' : 'is refused'}`);
      const outcome = REFUSALS.includes(code) ? 'is refused' : `gets ${status} ${code ?? ''}`;
      done.push(`${which}: ${action} ${status === 200 ? 'is done' : outcome}`);
    }
  }
  return { said, done };
}

describe('the actions on the page of a member', () => {
  it('match what the service does for each kind of staff, and what they leave out is refused', {
    timeout: 180_000,
  }, async () => {
    await using world = await startStaffWorld();
    for (const [kind, options] of Object.entries(STAFF)) {
      const { said, done } = await walk(world, options);
      expect([kind, ...done]).toEqual([kind, ...said]);
    }
  });

  it('are fewer about oneself, and for the last staff member of base role 0', async () => {
    await using world = await startStaffWorld();
    const { root } = world;
    const own = await actionsOn(world, root.id, root);
    expect(own).toEqual(expect.arrayContaining(['ban', 'remove', 'promote', 'changeName']));
    for (const action of ['impersonate', 'openRecovery']) expect(own).not.toContain(action);
    expect((await world.call('member.ban', { memberId: 1 }, root)).status).toBe(200);
    const last = await actionsOn(world, root.id, root);
    for (const action of ['ban', 'remove', 'promote']) expect(last).not.toContain(action);
    expect((await world.call('member.ban', { memberId: root.id }, root)).code).toBe('last_administrator');
    expect((await world.call('personnel.promote', { memberId: root.id }, root)).code).toBe(
      'last_administrator',
    );
  });
});

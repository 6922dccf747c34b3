import { router } from '@gatehouse/api-main/router';
import { sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountOwner } from '@gatehouse/db/queries/change-accounts';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import { recordLoginFailure } from '@gatehouse/db/queries/login-failures';
import { insertFormerAddress } from '@gatehouse/db/queries/recovery-subject';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { createAuthenticator } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { recordAudit } from '../../audit/record-audit.js';
import { changeColumn } from '../../test/change-column.js';
import { type FactorWorld, startFactorWorld } from '../../test/factor-world.js';
import { addPasskey, startPasskeyWorld } from '../../test/passkey-world.js';
import {
  mailsTo,
  openRecovery,
  outcomesOf,
  passWait,
  REASON,
  type RecoveringMember,
  recovering,
  redeemTicket,
  signInRoot,
  ticketOf,
} from '../../test/recovery-world.js';
import { recoveryTickets } from './recovery-tickets.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ORIGIN = 'http://localhost:4000';

async function waitOf(world: FactorWorld, token: string, memberId: number): Promise<number> {
  const answer = await openRecovery(world, token, memberId);
  expect([answer.status, answer.code]).toEqual([200, undefined]);
  return Math.round((Date.parse(String(answer.data['effectiveAt'])) - Date.now()) / HOUR_MS);
}

const sessionEpochOf = async ({ db }: FactorWorld, memberId: number) =>
  (await findAccessSnapshot(db, memberId, Date.now()))?.sessionEpoch ?? 0;

describe('opening a recovery', () => {
  it('starts a wait of a day, or three days for owners and staff, and twice that after a new address or a reset', async () => {
    await using world = await startFactorWorld();
    const { token } = await signInRoot(world);
    const plain = await world.member();
    expect(await waitOf(world, token, plain.id)).toBe(24);
    const owner = await world.member();
    await changeAccess(world.db, { accounts: [1] }, (tx) =>
      setAccountOwner(tx, { accountId: 1, ownerId: owner.id, expectedOwnerId: 1, nowMs: Date.now() }),
    );
    const byRole = await world.member({ memberships: { 2: 1 } });
    expect(await waitOf(world, token, byRole.id)).toBe(72);
    const moved = await world.member();
    const address = { memberId: moved.id, email: 'old@example.com', untilMs: Date.now() - DAY_MS };
    await insertFormerAddress(world.db, address);
    expect(await waitOf(world, token, moved.id)).toBe(48);
    expect((await mailsTo(world, 'old@example.com')).map(({ subject }) => subject)).toEqual([
      'A recovery of your account was started',
    ]);
    const reset = await world.member();
    const act = { actorId: reset.id, subjectKind: 'member', subjectId: reset.id };
    await recordAudit(world.db, world.main, { ...act, atMs: Date.now() - DAY_MS, action: 'password.reset' });
    expect(await waitOf(world, token, reset.id)).toBe(48);
    const colleague = await world.member({ roleType: 6, isPersonnel: true });
    expect(await waitOf(world, token, colleague.id)).toBe(72);
    const tooMany = await openRecovery(world, token, owner.id);
    expect([tooMany.status, tooMany.code]).toEqual([429, 'rate_limited']);
    // An open recovery is returned, and not counted.
    expect(await waitOf(world, token, plain.id)).toBe(24);
  });

  it('starts a wait twice as long after a new address, even if the previous one was never confirmed', async () => {
    await using world = await startFactorWorld();
    const { token } = await signInRoot(world);
    const moved = await world.member();
    const act = { actorId: moved.id, subjectKind: 'member', subjectId: moved.id };
    await recordAudit(world.db, world.main, { ...act, atMs: Date.now() - DAY_MS, action: 'address.changed' });
    expect(await waitOf(world, token, moved.id)).toBe(48);
  });

  it('requires role 0, a recent verification, and another member', async () => {
    await using world = await startFactorWorld();
    const member = await world.enrolled();
    const staff = await signInRoot(world);
    expect((await openRecovery(world, staff.token, staff.id)).code).toBe('permission_denied');
    const other = await world.member({ roleType: 6, isPersonnel: true });
    const { data } = await world.signIn(other, world.admin);
    expect((await openRecovery(world, String(data['token']), member.id)).code).toBe('permission_denied');
    world.wait(11 * 60_000);
    expect((await openRecovery(world, staff.token, member.id)).code).toBe('verification_required');
    expect(await outcomesOf(world)).toEqual([]);
  });

  it('requires a second member of role 0 for staff, and for a second recovery within 30 days', async () => {
    await using world = await startFactorWorld();
    const [first, second] = [await signInRoot(world), await signInRoot(world)];
    const member = await world.enrolled();
    const approve = (token: string, recoveryId: unknown) =>
      world.call('recovery.approve', { recoveryId }, { token, on: world.admin });
    const once = await openRecovery(world, first.token, member.id);
    expect(once.data['needsApproval']).toBe(false);
    const { recoveryId } = once.data;
    await world.call('recovery.cancel', { recoveryId }, { token: second.token, on: world.admin });
    const again = await openRecovery(world, first.token, member.id);
    expect(again.data['needsApproval']).toBe(true);
    await passWait(world);
    expect(await ticketOf(world, member.email)).toBe('');
    expect((await approve(first.token, again.data['recoveryId'])).code).toBe('permission_denied');
    expect((await approve(second.token, again.data['recoveryId'])).status).toBe(200);
    await passWait(world);
    expect(await ticketOf(world, member.email)).toHaveLength(43);
    const colleague = await world.member({ roleType: 6, isPersonnel: true });
    expect((await openRecovery(world, second.token, colleague.id)).data['needsApproval']).toBe(true);
    const listed = await world.call(
      'recovery.list',
      {},
      { token: first.token, on: world.admin, query: true },
    );
    expect(listed.body['data']).toMatchObject([
      { member: { userId: colleague.id }, outcome: null },
      { approvedBy: { userId: second.id }, reason: REASON },
      { outcome: 'canceled' },
    ]);
  });
});

describe('a recovery that is open', () => {
  it('is shown to its member, who cancels it, by the mailed link or by a second step', async () => {
    await using world = await startFactorWorld();
    const staff = await signInRoot(world);
    const member = await world.enrolled();
    const stranger = await world.enrolled();
    const begin = async () => {
      const answer = await openRecovery(world, staff.token, member.id);
      return { id: answer.data['recoveryId'], effectiveAt: answer.data['effectiveAt'] };
    };
    const { token } = member;
    const shown = await begin();
    const seen = await world.call('factor.list', {}, { token, query: true });
    expect(seen.data['recovery']).toEqual(shown);
    expect((await world.call('recovery.cancelMine', {})).status).toBe(401);
    expect((await world.call('recovery.cancelMine', {}, { token: stranger.token })).code).toBe('not_found');
    expect((await world.call('recovery.cancelMine', {}, { token })).status).toBe(200);
    expect(await outcomesOf(world)).toEqual(['canceled']);

    await begin();
    const [mail] = await mailsTo(world, member.email);
    const link = /\/recovery\?token=([\w.]+)/.exec(mail?.text ?? '')?.[1] ?? '';
    const page = await (await world.main.send(`/recovery?token=${link}`)).text();
    expect(page).toContain('<button type="submit">Cancel recovery</button>');
    expect(await outcomesOf(world)).toEqual(['canceled', null]);
    const wrong = link.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    expect((await world.main.send('/recovery', { body: { token: wrong } })).status).toBe(403);
    expect((await world.main.send('/recovery', { body: { token: link } })).status).toBe(200);
    expect((await world.main.send('/recovery', { body: { token: link } })).status).toBe(403);

    await begin();
    const { challenge } = await world.signIn(member, world.other);
    await world.call('signIn.step', { challenge, code: member.code() }, { on: world.other });
    expect(await outcomesOf(world)).toEqual(['canceled', 'canceled', 'signedIn']);
    const subjects = (await mailsTo(world, member.email)).map(({ subject }) => subject);
    expect(subjects.filter((each) => each === 'Your recovery was canceled')).toHaveLength(3);
  });

  it('makes one ticket on two nodes, only after the wait, and none for a changed address', async () => {
    await using world = await startFactorWorld();
    const staff = await signInRoot(world);
    const [member, moved] = [await world.enrolled(), await world.enrolled()];
    for (const { id } of [member, moved]) await openRecovery(world, staff.token, id);
    const act = { actorId: moved.id, subjectKind: 'member', subjectId: moved.id };
    await recordAudit(world.db, world.main, { ...act, atMs: Date.now(), action: 'address.changed' });
    await recoveryTickets.run(world.main.services);
    expect(await mailsTo(world, member.email, 'recoveryTicket')).toEqual([]);
    await passWait(world);
    expect(await mailsTo(world, member.email, 'recoveryTicket')).toHaveLength(1);
    expect(await mailsTo(world, moved.email, 'recoveryTicket')).toEqual([]);
    expect(await outcomesOf(world)).toEqual([null, 'canceled']);
    const { recoveries } = world.db.tables;
    await world.db.write(world.db.update(recoveries).set({ ticketExpiresAtMs: Date.now() - 1 }));
    await recoveryTickets.run(world.main.services);
    expect(await outcomesOf(world)).toEqual(['expired', 'canceled']);
  });
});

describe('the ticket of a recovery', () => {
  it('adds a passkey that verified the user, however many are lost', async () => {
    await using world = await startPasskeyWorld();
    const member = await recovering(world);
    const { passkeys } = world.db.tables;
    await world.db.insertMany(
      passkeys,
      Array.from({ length: 20 }, (_, lost) => ({
        memberId: member.id,
        credentialKey: sha256Hex(`lost ${lost}`),
        credentialId: `lost${lost}`,
        publicKey: '',
        rpId: 'localhost',
        userHandle: null,
        backupEligible: false,
        backedUp: false,
        transports: '',
        name: 'Lost',
        createdAtMs: world.nowMs(),
      })),
    );
    const token = await redeemTicket(world, member);
    const unasked = await world.call('passkey.addOptions', { auto: true }, { token });
    expect([unasked.status, unasked.code]).toEqual([403, 'verification_required']);
    const { passkey } = await addPasskey(
      world,
      { ...member, token },
      createAuthenticator({ origin: ORIGIN }),
    );
    expect(await outcomesOf(world)).toEqual(['completed']);
    expect((await world.db.select().from(passkeys)).map(({ credentialId }) => credentialId)).toEqual([
      passkey.id,
    ]);
  });

  it('unlocks an app that wrong codes have locked, so that another can be added', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const rule = { most: 100, waits: [], nowMs: world.nowMs() };
    for (let wrong = 0; wrong < 100; wrong += 1)
      await recordLoginFailure(world.db, { holder: `totp:${member.id}`, origin: '' }, rule);
    const { challenge } = await world.signIn(member);
    expect((await world.call('signIn.step', { challenge, code: member.code() })).status).toBe(429);
    const token = await redeemTicket(world, member);
    const added = await world.enrol({ ...member, token });
    expect(added.backupCodes).toHaveLength(10);
  });

  it('only allows adding a second factor, which ends the old ones and keeps the switch', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const stranger = await world.enrolled();
    const begun = await world.signIn(stranger);
    const foreign = await world.call('signIn.step', { challenge: begun.challenge, ticket: member.ticket });
    expect([foreign.status, foreign.code]).toEqual([401, 'invalid_credentials']);

    const { challenge } = await world.signIn(member);
    const answer = await world.call('signIn.step', { challenge, ticket: member.ticket });
    const requires = { level: 2, by: 'staff' };
    expect(answer.data).toMatchObject({ level: 1, methods: ['pwd'], requires });
    const token = String(answer.data['token']);
    expect((await world.call('session.me', {}, { token })).body).toMatchObject({ requires });
    for (const on of [world.main, world.other]) {
      const events = await world.call('securityEvent.listMine', {}, { token, on, query: true });
      expect(events.code).toBe('enrolment_required');
    }
    for (const [name, input] of [
      ['factor.switch', { secondFactor: false }],
      ['factor.newBackupCodes', {}],
    ] as const)
      expect([name, (await world.call(name, input, { token })).code]).toEqual([name, 'enrolment_required']);

    const epoch = await sessionEpochOf(world, member.id);
    const renewed = await world.enrol({ ...member, token });
    expect(renewed.backupCodes).toHaveLength(10);
    expect((await world.call('session.me', {}, { token })).body).toMatchObject({ requires: null });
    expect(await sessionEpochOf(world, member.id)).toBe(epoch + 1);
    expect(await outcomesOf(world)).toEqual(['completed']);
    const events = await world.call('securityEvent.listMine', {}, { token, query: true });
    expect(events.status).toBe(200);
    expect(
      (await world.call('securityEvent.listMine', {}, { token: member.token, query: true })).status,
    ).toBe(401);
    const after = await world.signIn(member);
    expect([after.code, after.methods]).toEqual(['second_factor_required', ['totp', 'backupCode']]);
    const old = await world.call('signIn.step', {
      challenge: after.challenge,
      backupCode: member.backupCodes[0],
    });
    expect(old.status).toBe(401);
    const next = await world.call('signIn.step', { challenge: after.challenge, code: renewed.code() });
    expect(next.data).toMatchObject({ level: 2 });
  });

  it('leaves its member time to add a factor while the recovery is open', async () => {
    await using world = await startPasskeyWorld();
    const member = await recovering(world);
    const stranger = await world.member();
    const token = await redeemTicket(world, member);
    world.wait(50 * 60_000);
    for (const name of ['totp.start', 'passkey.addOptions']) {
      expect([name, (await world.call(name, {}, { token })).status]).toEqual([name, 200]);
      const stale = await world.call(name, {}, { token: stranger.token });
      expect([name, stale.code]).toEqual([name, 'verification_required']);
    }
    for (const [name, input] of [
      ['factor.switch', { secondFactor: false }],
      ['factor.newBackupCodes', {}],
      ['totp.remove', {}],
      ['passkey.remove', { passkeyId: 1 }],
    ] as const)
      expect([name, (await world.call(name, input, { token })).code]).toEqual([name, 'enrolment_required']);
    const epoch = await sessionEpochOf(world, member.id);
    await addPasskey(world, { ...member, token }, createAuthenticator({ origin: ORIGIN }));
    expect(await sessionEpochOf(world, member.id)).toBe(epoch + 1);
    expect((await world.call('factor.list', {}, { token: member.token, query: true })).status).toBe(401);
    expect(await outcomesOf(world)).toEqual(['completed']);
    // From now on it is a session like others.
    world.wait(11 * 60_000);
    expect((await world.call('totp.start', {}, { token })).code).toBe('verification_required');
  });

  it('is no longer valid after a sign-in with a second factor, even in a session that it began', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const first = await world.signIn(member);
    const begun = await world.call('signIn.step', { challenge: first.challenge, ticket: member.ticket });
    const second = await world.signIn(member);
    await world.call('signIn.step', { challenge: second.challenge, code: member.code() });
    expect(await outcomesOf(world)).toEqual(['signedIn']);
    const token = String(begun.data['token']);
    expect((await world.call('totp.start', {}, { token })).status).toBe(401);
    expect((await world.signIn(member)).methods).toEqual(['totp', 'backupCode']);
  });
});

describe('the session of a recovery', () => {
  const ends: Readonly<Record<string, (world: FactorWorld, member: RecoveringMember) => Promise<unknown>>> = {
    'staff cancel it': async (world) => {
      const { token } = await signInRoot(world);
      const [open] = await world.db.select().from(world.db.tables.recoveries);
      return world.call('recovery.cancel', { recoveryId: open?.id }, { token, on: world.admin });
    },
    'its member cancels it in another session': (world, { token }) =>
      world.call('recovery.cancelMine', {}, { token }),
    'a mailed link cancels it': async (world, { email }) => {
      const [mail] = await mailsTo(world, email);
      const token = /\/recovery\?token=([\w.]+)/.exec(mail?.text ?? '')?.[1] ?? '';
      return world.main.send('/recovery', { body: { token } });
    },
    'its member signs in with a factor': async (world, member) => {
      const { challenge } = await world.signIn(member);
      return world.call('signIn.step', { challenge, code: member.code() });
    },
    'its time is over': async (world) => {
      const [open] = await world.db.select().from(world.db.tables.recoveries);
      const expiry = { table: 'recoveries', column: 'ticket_expires_at_ms', id: open?.id ?? 0 };
      await changeColumn(world.db, expiry, Date.now() - 1);
      return recoveryTickets.run(world.main.services);
    },
  };

  it.each(Object.entries(ends))('ends when %s, on the next request of every node', async (_, end) => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const token = await redeemTicket(world, member);
    const statuses = () =>
      Promise.all(
        [world.main, world.other].map(
          async (on) => (await world.call('totp.start', {}, { token, on })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    await end(world, member);
    expect(await outcomesOf(world)).toEqual([expect.any(String)]);
    expect(await statuses()).toEqual([401, 401]);
  });

  it('cannot rename a passkey, and may call only procedures whose rule names it', async () => {
    await using world = await startPasskeyWorld();
    const member = await recovering(world);
    const { answer } = await addPasskey(world, member, createAuthenticator({ origin: ORIGIN }));
    const passkeyId = answer.data['id'];
    const token = await redeemTicket(world, member);
    const rename = (by: string) =>
      world.call('passkey.rename', { passkeyId, name: 'Renamed' }, { token: by });
    expect((await rename(token)).code).toBe('enrolment_required');
    expect((await rename(member.token)).status).toBe(200);

    const shut = listProcedures(router).filter(({ rule }) => rule?.who === 'member' && !rule.opensInRecovery);
    expect(shut.length).toBeGreaterThan(30);
    for (const { name } of shut) {
      const { status, code } = await world.call(name, {}, { token });
      expect([name, status, code]).toEqual([name, 403, 'enrolment_required']);
    }
  });

  it('completes no later recovery, even if it had not ended', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const token = await redeemTicket(world, member);
    const [first, second] = [await signInRoot(world), await signInRoot(world)];
    await world.call('recovery.cancelMine', {}, { token: member.token });
    const { data } = await openRecovery(world, first.token, member.id);
    const how = { token: second.token, on: world.admin };
    await world.call('recovery.approve', { recoveryId: data['recoveryId'] }, how);
    await passWait(world);
    const sessions = { table: 'sessions', column: 'ended_at_ms', by: 'member_id', id: member.id };
    await changeColumn(world.db, sessions, null);
    await changeAccess(world.db, { members: [member.id] }, () => Promise.resolve());
    await expect(world.enrol({ ...member, token })).rejects.toThrow('not enrolled');
    expect(await outcomesOf(world)).toEqual(['canceled', null]);
  });
});

describe('the state after a recovery', () => {
  it('is in the audit log and the security events, without the ticket or the tokens', async () => {
    await using world = await startFactorWorld();
    const member = await recovering(world);
    const { challenge } = await world.signIn(member);
    const answer = await world.call('signIn.step', { challenge, ticket: member.ticket });
    await world.enrol({ ...member, token: String(answer.data['token']) });
    const audit = await world.db.select().from(world.db.tables.auditLog);
    const actions = audit.map(({ action }) => action).filter((action) => action.startsWith('recovery.'));
    expect(actions).toEqual([
      'recovery.opened',
      'recovery.ticket-sent',
      'recovery.ticket-used',
      'recovery.completed',
    ]);
    const events = await world.db.select().from(world.db.tables.securityEvents);
    expect(events.filter(({ kind }) => kind.startsWith('recovery.'))).toHaveLength(4);
    const kept = JSON.stringify([audit, events, await world.db.select().from(world.db.tables.recoveries)]);
    const logs = [...world.main.logLines, ...world.other.logLines, ...world.admin.logLines].join('');
    for (const secret of [member.ticket, challenge, member.backupCodes[0] ?? ''])
      expect([kept.includes(secret), logs.includes(secret)]).toEqual([false, false]);
  });
});

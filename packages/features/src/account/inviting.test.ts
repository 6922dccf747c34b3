import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import type { Delivery, MailDriver } from '@gatehouse/runtime/mail/mail-driver';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  signIn,
  startService,
  unsettled,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { mailDelivery } from '../mail/mail-delivery.js';
import {
  fieldsOf,
  INVITATION_TRANSPORTS,
  invitationMails,
  linkTo,
  outcomeOf,
} from '../test/invitation-call.js';
import { confirmTestMember } from '../test/invitations.js';

const dialect = inject('dialect');

const MINUTE_MS = 60_000;

const DAY_MS = 86_400_000;

interface View {
  id: number;
  email: string;
  roleType: number;
  role: string;
  customRoleId: number | null;
  state: string;
  delivery: string;
  invitedBy: { id: number; name: string };
  createdAt: string;
  lastSentAt: string | null;
  expiresAt: string;
}

/** A service with a clock that the test sets. */
async function start() {
  const clock = { nowMs: Date.now() };
  const service = await startService(createApp, {
    dialect,
    application: 'web',
    env: developmentEnvironment(),
    now: () => clock.nowMs,
  });
  return { service, clock, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const callerOf = async (service: RunningService, email: string, accountId = 1) => ({
  token: (await signIn(service, email)).token,
  accountId,
});

describe.each(INVITATION_TRANSPORTS)('inviting a person over %s', (_name, call) => {
  const dataOf = (verdict: Parameters<typeof fieldsOf>[0]) => fieldsOf<{ data: View }>(verdict).data;

  it('answers with the invitation, mails only its link, and records who created it', async () => {
    await using world = await start();
    const { service, clock } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const answer = await call(service, owner, 'create', { email: 'New@Elsewhere.test', roleType: 3 });
    const invitation = dataOf(answer);
    expect(invitation).toEqual({
      id: invitation.id,
      email: 'new@elsewhere.test',
      roleType: 3,
      role: 'Contributor',
      customRoleId: null,
      state: 'pending',
      delivery: 'queued',
      invitedBy: { id: 3, name: 'Olivia Marsh' },
      createdAt: new Date(clock.nowMs).toISOString(),
      lastSentAt: new Date(clock.nowMs).toISOString(),
      expiresAt: new Date(clock.nowMs + 7 * DAY_MS).toISOString(),
    });
    const [mail, ...others] = await invitationMails(service, 'new@elsewhere.test');
    expect(others).toEqual([]);
    expect(mail?.text).toContain('Olivia Marsh invited you to join “Acme Studio”.');
    expect(mail?.text).toContain(`/invitation?token=${mail?.token}`);
    expect(JSON.stringify(answer)).not.toContain(mail?.token);
    const { auditLog, invitations } = service.database.tables;
    const lines = await service.database.select().from(auditLog);
    expect(lines.filter(({ action }) => action.startsWith('invitation.'))).toMatchObject([
      {
        action: 'invitation.created',
        actorId: 3,
        accountId: 1,
        subjectKind: 'invitation',
        subjectId: String(invitation.id),
        before: null,
        after: { roleType: 3, customRoleId: null, inviterId: 3, status: 'open' },
      },
    ]);
    const rows = JSON.stringify(await service.database.select().from(invitations));
    expect(rows).not.toContain(mail?.token);
  });

  it('accepts 1 to 30 days, one role that exists, and no address that breaks out of a mail', async () => {
    await using world = await start();
    const { service, clock } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const email = 'new@elsewhere.test';
    for (const input of [
      { email, roleType: 3, days: 0 },
      { email, roleType: 3, days: 31 },
      { email, roleType: 3, days: 1.5 },
      { email, roleType: 11 },
      { email, roleType: 99 },
      { email },
      { email, roleType: 3, customRoleId: 1 },
      { email: 'new@elsewhere.test\r\nBcc: all@acme.test', roleType: 3 },
      { email: 'new@elsewhere.test\nX: y', roleType: 3 },
      { email: 'no address', roleType: 3 },
    ]) {
      expect([input, outcomeOf(await call(service, owner, 'create', input))]).toEqual([
        input,
        '400 invalid_input',
      ]);
    }
    expect(outcomeOf(await call(service, owner, 'create', { email, customRoleId: 99 }))).toBe(
      '404 not_found',
    );
    const invited = await call(service, owner, 'create', { email, roleType: 3, days: 30 });
    expect(dataOf(invited).expiresAt).toBe(new Date(clock.nowMs + 30 * DAY_MS).toISOString());
  });

  it('requires a confirmed member with member.manage, in person, within their own rank', async () => {
    await using world = await start();
    const { service, clock } = world;
    const email = 'new@elsewhere.test';
    const invite = async (who: string, roleType: number) =>
      outcomeOf(await call(service, await callerOf(service, who), 'create', { email, roleType }));
    expect(await invite('contributor@acme.test', 5)).toBe('403 permission_denied');
    expect(await invite('owner@cedar.test', 5)).toBe('403 account_forbidden');
    expect(await invite('manager@acme.test', 1)).toBe('403 permission_denied');
    expect(await invite('manager@acme.test', 6)).toBe('403 permission_denied');
    expect(await invite('staff@gatehouse.test', 5)).toBe('403 account_forbidden');
    const staff = await callerOf(service, 'staff@gatehouse.test', 2);
    expect(outcomeOf(await call(service, staff, 'create', { email, roleType: 2 }))).toBe('200');

    const unproven = await insertTestMember(service.database, { memberships: { 1: 2 } });
    const asUnproven = { token: unproven.token, accountId: 1 };
    const input = { email, roleType: 5 };
    expect(outcomeOf(await call(service, asUnproven, 'create', input))).toBe('403 unconfirmed');
    await confirmTestMember(service.database, unproven);
    expect(outcomeOf(await call(service, asUnproven, 'create', input))).toBe('200');
    for (const name of ['list', 'create', 'resend', 'revoke', 'accept', 'listMine']) {
      expect([name, (await call(service, {}, name, {})).status]).toEqual([name, 401]);
    }
    expect(await call(service, { token: unproven.token }, 'list')).toMatchObject({
      code: 'account_required',
    });
    clock.nowMs += 11 * MINUTE_MS;
    const owner = await callerOf(service, 'owner@acme.test');
    clock.nowMs += 11 * MINUTE_MS;
    expect(outcomeOf(await call(service, owner, 'create', { email: 'co@acme.test', roleType: 1 }))).toBe(
      '403 verification_required',
    );
    expect(await invite('owner@acme.test', 1)).toBe('200');
    expect(await invite('manager@acme.test', 5)).toBe('403 permission_denied');
  });

  it('does not reveal whether an address is registered, only whether it is in the account', async () => {
    await using world = await start();
    const { service } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const shapeOf = (view: View) => ({ ...view, id: 0, email: '' });
    const unknown = dataOf(await call(service, owner, 'create', { email: 'nobody@x.test', roleType: 5 }));
    const known = dataOf(await call(service, owner, 'create', { email: 'owner@cedar.test', roleType: 5 }));
    expect(shapeOf(known)).toEqual(shapeOf(unknown));
    for (const email of ['member@acme.test', ' MEMBER@acme.test ']) {
      expect(outcomeOf(await call(service, owner, 'create', { email, roleType: 5 }))).toBe(
        '409 already_member',
      );
    }
    await changeAccess(service.database, { members: [7] }, (tx) =>
      setMembership(tx, { memberId: 7, accountId: 1, roleType: 5, active: false, nowMs: Date.now() }),
    );
    const off = await call(service, owner, 'create', { email: 'member@acme.test', roleType: 3 });
    expect(dataOf(off)).toMatchObject({ state: 'pending', roleType: 3 });
  });

  it('makes one invitation for a pending address, however often it is invited', async () => {
    await using world = await start();
    const { service, clock } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const first = dataOf(await call(service, owner, 'create', { email: 'new@x.test', roleType: 5 }));
    const oldLink = await linkTo(service, 'new@x.test');
    clock.nowMs += 1_000;
    const again = await call(service, owner, 'create', { email: 'NEW@x.test', roleType: 3, days: 2 });
    expect(dataOf(again)).toMatchObject({
      id: first.id,
      roleType: 3,
      state: 'pending',
      expiresAt: new Date(clock.nowMs + 2 * DAY_MS).toISOString(),
    });
    const newLink = await linkTo(service, 'new@x.test');
    expect(outcomeOf(await call(service, {}, 'preview', { token: oldLink }))).toBe('409 invitation_replaced');
    expect(fieldsOf(await call(service, {}, 'preview', { token: newLink }))).toMatchObject({ roleType: 3 });
    const { data } = fieldsOf<{ data: View[] }>(await call(service, owner, 'list'));
    expect(data).toHaveLength(1);
    clock.nowMs += 3 * DAY_MS;
    const revived = await call(service, await callerOf(service, 'owner@acme.test'), 'create', {
      email: 'new@x.test',
      roleType: 5,
    });
    expect(dataOf(revived)).toMatchObject({ id: first.id, state: 'pending', roleType: 5 });
  });

  it('lists the invitations of the account by their current state, page by page', async () => {
    await using world = await start();
    const { service, clock } = world;
    const manager = await callerOf(service, 'manager@acme.test');
    const owner = await callerOf(service, 'owner@acme.test');
    const invited = async (who: object, email: string, days = 7) =>
      dataOf(await call(service, who, 'create', { email, roleType: 5, days })).id;
    const ids = {
      expired: await invited(owner, 'expired@x.test', 1),
      revoked: await invited(owner, 'revoked@x.test'),
      declined: await invited(owner, 'declined@x.test'),
      accepted: await invited(owner, 'owner@cedar.test'),
      void: await invited(manager, 'void@x.test'),
      pending: await invited(owner, 'pending@x.test'),
    };
    await call(service, owner, 'revoke', { invitationId: ids.revoked });
    await call(service, {}, 'decline', { token: await linkTo(service, 'declined@x.test') });
    const cedar = await callerOf(service, 'owner@cedar.test');
    await call(service, cedar, 'accept', { invitationId: ids.accepted });
    await changeAccess(service.database, { members: [4] }, (tx) =>
      removeMembership(tx, { memberId: 4, accountId: 1, nowMs: Date.now() }),
    );
    clock.nowMs += 2 * DAY_MS;
    for (const [state, id] of Object.entries(ids)) {
      const { data } = fieldsOf<{ data: View[] }>(await call(service, owner, 'list', { state }));
      expect([state, data.map((row) => [row.id, row.state])]).toEqual([state, [[id, state]]]);
    }
    const all: View[] = [];
    let cursor: string | null = null;
    do {
      const page: { data: View[]; page: { nextCursor: string | null } } = fieldsOf(
        await call(service, owner, 'list', { limit: 2, cursor }),
      );
      all.push(...page.data);
      cursor = page.page.nextCursor;
    } while (cursor !== null);
    expect(all.map(({ id }) => id)).toEqual(Object.values(ids).toSorted((a, b) => b - a));
    const birch = await callerOf(service, 'owner@birch.test', 2);
    expect(fieldsOf(await call(service, birch, 'list'))).toMatchObject({ data: [] });
    const input = { invitationId: ids.pending };
    expect(outcomeOf(await call(service, birch, 'revoke', input))).toBe('404 not_found');
    expect(outcomeOf(await call(service, birch, 'resend', input))).toBe('404 not_found');
    expect(outcomeOf(await call(service, owner, 'list', { state: 'gone' }))).toBe('400 invalid_input');
  });

  it('mails an invitation again, once a minute and five times a day, and never an answered one', async () => {
    await using world = await start();
    const { service, clock } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const { id } = dataOf(await call(service, owner, 'create', { email: 'new@x.test', roleType: 5 }));
    const oldLink = await linkTo(service, 'new@x.test');
    const resend = (days?: number) => call(service, owner, 'resend', { invitationId: id, days });
    expect(outcomeOf(await resend())).toBe('429 rate_limited');
    clock.nowMs += MINUTE_MS;
    expect(dataOf(await resend(30))).toMatchObject({
      id,
      delivery: 'queued',
      lastSentAt: new Date(clock.nowMs).toISOString(),
      expiresAt: new Date(clock.nowMs + 30 * DAY_MS).toISOString(),
    });
    expect(outcomeOf(await call(service, {}, 'preview', { token: oldLink }))).toBe('409 invitation_replaced');
    const deliveries: string[] = [];
    for (let time = 2; time <= 5; time += 1) {
      clock.nowMs += 60 * MINUTE_MS;
      deliveries.push(dataOf(await resend()).delivery);
    }
    expect(deliveries).toEqual(['queued', 'queued', 'queued', 'queued']);
    clock.nowMs += 60 * MINUTE_MS;
    expect(outcomeOf(await resend())).toBe('429 rate_limited');
    await call(service, owner, 'revoke', { invitationId: id });
    clock.nowMs += DAY_MS;
    expect(outcomeOf(await resend())).toBe('409 invitation_used');
  });

  it('revokes an unanswered invitation for good, and no answered one', async () => {
    await using world = await start();
    const { service } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const invite = async (email: string) =>
      dataOf(await call(service, owner, 'create', { email, roleType: 5 })).id;
    const invitationId = await invite('new@x.test');
    const link = await linkTo(service, 'new@x.test');
    expect(outcomeOf(await call(service, owner, 'revoke', { invitationId }))).toBe('200');
    expect(outcomeOf(await call(service, owner, 'revoke', { invitationId }))).toBe('200');
    expect(outcomeOf(await call(service, {}, 'preview', { token: link }))).toBe('409 invitation_revoked');
    const { auditLog } = service.database.tables;
    const lines = await service.database.select().from(auditLog);
    expect(lines.filter(({ action }) => action === 'invitation.revoked')).toHaveLength(1);
    const declined = await invite('declined@x.test');
    await call(service, {}, 'decline', { token: await linkTo(service, 'declined@x.test') });
    const input = { invitationId: declined };
    expect(outcomeOf(await call(service, owner, 'resend', input))).toBe('409 invitation_used');
    expect(outcomeOf(await call(service, owner, 'revoke', input))).toBe('200');
    const another = await invite('declined@x.test');
    expect(another).not.toBe(declined);
  });

  it('is void once its inviter is removed, demoted or banned, until an entitled member resends it', async () => {
    await using world = await start();
    const { service, clock } = world;
    const { database } = service;
    const owner = await callerOf(service, 'owner@acme.test');
    const places = { memberId: 4, accountId: 1 };
    const losses = {
      gone: () =>
        changeAccess(database, { members: [4] }, (tx) => removeMembership(tx, { ...places, nowMs: 1 })),
      demoted: () =>
        changeAccess(database, { members: [4] }, (tx) =>
          setMembership(tx, { ...places, roleType: 3, nowMs: 1 }),
        ),
      banned: () =>
        changeAccess(database, { members: [4] }, (tx) =>
          setMemberRole(unsettled(tx), { memberId: 4, roleType: 11, role: 'Archived', nowMs: 1 }),
        ),
    };
    for (const [loss, lose] of Object.entries(losses)) {
      await changeAccess(database, { members: [4] }, (tx) =>
        setMembership(tx, { ...places, roleType: 2, nowMs: 1 }),
      );
      const manager = await callerOf(service, 'manager@acme.test');
      const email = `${loss}@x.test`;
      const { id } = dataOf(await call(service, manager, 'create', { email, roleType: 5 }));
      const link = await linkTo(service, email);
      await lose();
      expect([loss, outcomeOf(await call(service, {}, 'preview', { token: link }))]).toEqual([
        loss,
        '409 invitation_void',
      ]);
      clock.nowMs += MINUTE_MS;
      const sent = await call(service, owner, 'resend', { invitationId: id });
      expect(dataOf(sent)).toMatchObject({ id, state: 'pending', invitedBy: { id: 3 } });
      const preview = await call(service, {}, 'preview', { token: await linkTo(service, email) });
      expect(fieldsOf(preview)).toMatchObject({ inviterName: 'Olivia Marsh' });
    }
  });
});

describe('the delivery of an invitation', () => {
  const [[, call]] = INVITATION_TRANSPORTS as [(typeof INVITATION_TRANSPORTS)[number]];

  it('is the state of its newest mail', async () => {
    await using world = await start();
    const { service, clock } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const answers: Delivery[] = [];
    const mail: MailDriver = {
      name: 'resend',
      keepsContent: false,
      deliver: () => Promise.resolve(answers.shift() ?? { outcome: 'sent' }),
    };
    const deliver = () => mailDelivery.run({ ...service.services, mail });
    const deliveryNow = async () =>
      fieldsOf<{ data: View[] }>(await call(service, owner, 'list')).data.map((row) => row.delivery);
    const created = await call(service, owner, 'create', { email: 'new@x.test', roleType: 5 });
    const { id } = fieldsOf<{ data: View }>(created).data;
    expect(await deliveryNow()).toEqual(['queued']);
    answers.push({ outcome: 'retry', reason: 'resend 500' });
    await deliver();
    expect(await deliveryNow()).toEqual(['queued']);
    clock.nowMs += MINUTE_MS;
    answers.push({ outcome: 'refused', reason: 'no such mailbox' });
    await deliver();
    expect(await deliveryNow()).toEqual(['failed']);
    await call(service, owner, 'resend', { invitationId: id });
    expect(await deliveryNow()).toEqual(['queued']);
    await deliver();
    expect(await deliveryNow()).toEqual(['sent']);
    await service.database.transaction((tx) => tx.write(tx.delete(tx.tables.mailOutbox)));
    expect(await deliveryNow()).toEqual(['sent']);
  });
});

describe('the number of invitations that an account may send', () => {
  const [[, call]] = INVITATION_TRANSPORTS as [(typeof INVITATION_TRANSPORTS)[number]];

  it('is 100 pending invitations and 100 mails a day, and five mails a day to one address', async () => {
    await using world = await start();
    const { service } = world;
    const owner = await callerOf(service, 'owner@acme.test');
    const invite = (email: string, caller: object = owner) =>
      call(service, caller, 'create', { email, roleType: 5 });
    const first = fieldsOf<{ data: View }>(await invite('a0@x.test')).data.id;
    for (let each = 1; each < 100; each += 1) {
      expect(outcomeOf(await invite(`a${each}@x.test`))).toBe('200');
    }
    expect(outcomeOf(await invite('one-more@x.test'))).toBe('409 invitation_limit');
    expect(outcomeOf(await invite('a5@x.test'))).toBe('429 rate_limited');
    await call(service, owner, 'revoke', { invitationId: first });
    expect(outcomeOf(await invite('one-more@x.test'))).toBe('429 rate_limited');
    expect(await invitationMails(service, 'one-more@x.test')).toEqual([]);

    const others = ['owner@birch.test', 'owner@cedar.test'].map((email, index) =>
      callerOf(service, email, index + 2),
    );
    const [birch, cedar] = await Promise.all(others);
    const deliveries: string[] = [];
    for (const caller of [birch, cedar, birch, cedar, birch, cedar]) {
      const answer = await invite('busy@x.test', caller);
      deliveries.push(fieldsOf<{ data: View }>(answer).data.delivery);
    }
    expect(deliveries).toEqual(Array(6).fill('queued'));
    expect(await invitationMails(service, 'busy@x.test')).toHaveLength(5);
  });
});

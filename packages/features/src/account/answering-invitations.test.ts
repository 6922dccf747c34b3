import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { shutAccount } from '@gatehouse/db/queries/change-accounts';
import { findMembership, removeMembership, setMembership } from '@gatehouse/db/queries/memberships';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  signIn,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { fieldsOf, INVITATION_TRANSPORTS, linkTo, outcomeOf } from '../test/invitation-call.js';
import type { TransportCaller } from '../test/transport-call.js';

const dialect = inject('dialect');

const DAY_MS = 86_400_000;

const PASSWORD = 'Analytical-Engine-1843';

const ada = { username: 'ada', password: PASSWORD, firstName: 'Ada', lastName: 'Lovelace' };

async function start(env: Record<string, string> = {}) {
  const clock = { nowMs: Date.now() };
  const service = await startService(createApp, {
    dialect,
    application: 'web',
    env: { ...developmentEnvironment(), ...env },
    now: () => clock.nowMs,
  });
  return { service, clock, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const callerOf = async (service: RunningService, email: string): Promise<TransportCaller> => ({
  token: (await signIn(service, email)).token,
});

describe.each(INVITATION_TRANSPORTS)('answering an invitation over %s', (_name, call) => {
  async function invite(service: RunningService, email: string, input: object = {}) {
    const owner = { ...(await callerOf(service, 'owner@acme.test')), accountId: 1 };
    const answer = await call(service, owner, 'create', { email, roleType: 3, ...input });
    const { id } = fieldsOf<{ data: { id: number } }>(answer).data;
    return { id, owner, token: await linkTo(service, email) };
  }
  const me = async (service: RunningService, caller: TransportCaller): Promise<unknown> =>
    (await service.send('/auth/me', caller)).json();

  it('shows anyone with the link what it is about, and changes nothing', async () => {
    await using world = await start();
    const { service, clock } = world;
    const { token } = await invite(service, 'new@x.test');
    const shown = {
      email: 'new@x.test',
      accountName: 'Acme Studio',
      inviterName: 'Olivia Marsh',
      roleType: 3,
      role: 'Contributor',
      expiresAt: new Date(clock.nowMs + 7 * DAY_MS).toISOString(),
      isRegistered: false,
      isReturning: false,
      signedInAs: null,
    };
    expect(fieldsOf(await call(service, {}, 'preview', { token }))).toEqual(shown);
    expect(fieldsOf(await call(service, { token: 'broken' }, 'preview', { token }))).toEqual(shown);
    const cedar = await callerOf(service, 'owner@cedar.test');
    expect(fieldsOf(await call(service, cedar, 'preview', { token }))).toEqual({
      ...shown,
      signedInAs: 'mismatch',
    });
    const theirs = await invite(service, 'owner@cedar.test');
    expect(fieldsOf(await call(service, cedar, 'preview', { token: theirs.token }))).toMatchObject({
      isRegistered: true,
      signedInAs: 'match',
    });
    for (const bad of ['', 'x', `${token}x`, cedar.token]) {
      expect(outcomeOf(await call(service, {}, 'preview', { token: bad }))).toBe('403 invalid_token');
    }
    const { invitations } = service.database.tables;
    const rows = await service.database.select().from(invitations);
    expect(rows.map(({ status }) => status)).toEqual(['open', 'open']);
  });

  it('lets a new person join: confirmed, in that account alone, without a trial', async () => {
    await using world = await start();
    const { service } = world;
    const { database } = service;
    const { token } = await invite(service, 'ada@lovelace.test');
    const countOf = async () => ({
      accounts: (await database.select().from(database.tables.accounts)).length,
      subscriptions: (await database.select().from(database.tables.subscriptions)).length,
    });
    const before = await countOf();
    const joined = await call(service, {}, 'join', { token, ...ada });
    const session = fieldsOf<{ token: string; userId: number; accountId: number }>(joined);
    expect(Object.keys(session).toSorted()).toEqual(['accountId', 'token', 'userId']);
    expect(session.accountId).toBe(1);
    expect(await countOf()).toEqual(before);
    expect(await me(service, { token: session.token, accountId: 1 })).toMatchObject({
      member: { id: session.userId, email: 'ada@lovelace.test', role_type: 5, emailVerified: true },
      memberships: [{ accountId: 1, role: 3 }],
      currentAccount: { accountId: 1, role: 3 },
    });
    expect(await signInByPassword(service, 'ada@lovelace.test', PASSWORD)).toMatchObject({
      userId: session.userId,
    });
    expect((await readOutbox(service))[0]).toMatchObject({
      kind: 'invitationAccepted',
      to: 'owner@acme.test',
      text: expect.stringContaining('Ada Lovelace (ada@lovelace.test) accepted your invitation'),
    });
    expect(outcomeOf(await call(service, {}, 'join', { token, ...ada }))).toBe('409 invitation_used');
    const lines = await database.select().from(database.tables.auditLog);
    const actions = lines.filter(({ actorId }) => actorId === session.userId).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['member.registered', 'invitation.accepted']));
    expect(JSON.stringify(lines)).not.toContain('ada@lovelace.test');
  });

  it('refuses an invalid registration, and counts it', async () => {
    await using world = await start({ REGISTRATIONS_PER_ADDRESS: '6' });
    const { service } = world;
    const { token } = await invite(service, 'ada@lovelace.test');
    const join = async (input: object) => outcomeOf(await call(service, {}, 'join', input));
    expect(await join({ token, ...ada, password: 'short' })).toBe('400 invalid_input');
    expect(await join({ token, ...ada, password: 'ada@lovelace.test' })).toBe('400 invalid_input');
    expect(await join({ token, ...ada, username: 'owner' })).toMatch(/^(409 username_taken|200)$/);
    const known = await invite(service, 'owner@cedar.test');
    expect(await join({ token: known.token, ...ada })).toBe('409 sign_in_required');
    expect(await join({ token: 'x', ...ada })).toBe('403 invalid_token');
    await join({ token: 'x', ...ada });
    await join({ token: 'x', ...ada });
    expect(await join({ token: 'x', ...ada })).toBe('429 rate_limited');
  });

  it('refuses a taken username and a reserved address', async () => {
    await using world = await start();
    const { service } = world;
    const { database } = service;
    const gone = await insertTestMember(database);
    await changeAccess(database, { members: [gone.id] }, (tx) =>
      removeMember(tx, { memberId: gone.id, nowMs: Date.now() }),
    );
    const { token } = await invite(service, gone.email);
    expect(fieldsOf(await call(service, {}, 'preview', { token }))).toMatchObject({ isRegistered: false });
    expect(outcomeOf(await call(service, {}, 'join', { token, ...ada }))).toBe('409 email_taken');
    const [taken] = await database.select().from(database.tables.members);
    const free = await invite(service, 'free@x.test');
    const input = { token: free.token, ...ada, username: taken?.username };
    expect(outcomeOf(await call(service, {}, 'join', input))).toBe('409 username_taken');
    expect(outcomeOf(await call(service, {}, 'join', { token: free.token, ...ada }))).toBe('200');
  });

  it('adds a member by link or number, mails the inviter, and can be repeated', async () => {
    await using world = await start();
    const { service } = world;
    const cedar = await callerOf(service, 'owner@cedar.test');
    for (const by of ['token', 'invitationId']) {
      const { id, token } = await invite(service, 'owner@cedar.test');
      const input = by === 'token' ? { token } : { invitationId: id };
      const accepted = await call(service, cedar, 'accept', input);
      expect(fieldsOf(accepted)).toMatchObject({ data: { accountId: 1, roleType: 3, alreadyMember: false } });
      expect(await me(service, { ...cedar, accountId: 1 })).toMatchObject({ currentAccount: { role: 3 } });
      expect((await readOutbox(service))[0]).toMatchObject({
        kind: 'invitationAccepted',
        to: 'owner@acme.test',
      });
      expect(fieldsOf(await call(service, cedar, 'accept', input))).toMatchObject({
        data: { accountId: 1, roleType: 3, alreadyMember: true },
      });
      await changeAccess(service.database, { members: [9] }, (tx) =>
        removeMembership(tx, { memberId: 9, accountId: 1, nowMs: Date.now() }),
      );
      expect(outcomeOf(await call(service, cedar, 'accept', input))).toBe('409 invitation_used');
    }
    for (const input of [{}, { token: 'x', invitationId: 1 }, { invitationId: 0 }]) {
      expect(outcomeOf(await call(service, cedar, 'accept', input))).toBe('400 invalid_input');
    }
  });

  it('keeps the role of a person who is already a member, and enables a disabled membership', async () => {
    await using world = await start();
    const { service } = world;
    const { database } = service;
    const { id } = await invite(service, 'owner@cedar.test');
    const place = { memberId: 9, accountId: 1 };
    await changeAccess(database, { members: [9] }, (tx) =>
      setMembership(tx, { ...place, roleType: 2, nowMs: 1 }),
    );
    const cedar = await callerOf(service, 'owner@cedar.test');
    expect(fieldsOf(await call(service, cedar, 'accept', { invitationId: id }))).toMatchObject({
      data: { accountId: 1, roleType: 2, alreadyMember: true },
    });
    await changeAccess(database, { members: [9] }, (tx) =>
      setMembership(tx, { ...place, roleType: 2, active: false, nowMs: 1 }),
    );
    const again = await invite(service, 'owner@cedar.test');
    expect(fieldsOf(await call(service, cedar, 'accept', { invitationId: again.id }))).toMatchObject({
      data: { accountId: 1, roleType: 3, alreadyMember: false },
    });
    expect(await findMembership(database, place)).toMatchObject({ roleType: 3, active: true });
  });

  it('shows a member with another address the invited one, masked, and stays pending', async () => {
    await using world = await start();
    const { service } = world;
    const { id, token } = await invite(service, 'owner@birch.test');
    const cedar = await callerOf(service, 'owner@cedar.test');
    expect(outcomeOf(await call(service, cedar, 'accept', { token }))).toBe('409 address_mismatch');
    const answer = await service.send('/v1/invitation/accept', { ...cedar, body: { token } });
    expect(await answer.json()).toMatchObject({
      error: { code: 'address_mismatch', issues: [{ message: expect.stringContaining('o***@birch.test') }] },
    });
    expect(outcomeOf(await call(service, cedar, 'accept', { invitationId: id }))).toBe('404 not_found');
    expect(outcomeOf(await call(service, cedar, 'decline', { invitationId: id }))).toBe('404 not_found');
    expect(outcomeOf(await call(service, cedar, 'accept', { invitationId: 99 }))).toBe('404 not_found');
    const birch = await callerOf(service, 'owner@birch.test');
    expect(outcomeOf(await call(service, birch, 'accept', { token }))).toBe('200');
  });

  it.each([false, true])(
    'admits nobody by a planted address, whether its owner clicked (%s), and mails what proves it',
    async (isConfirmed) => {
      await using world = await start();
      const { service } = world;
      const planter = await insertTestMember(service.database, { isConfirmed, isProven: false });
      const { id, token } = await invite(service, planter.email);
      const other = await invite(service, 'other@x.test');
      const caller = { token: planter.token };
      expect(outcomeOf(await call(service, caller, 'accept', { token }))).toBe('403 unconfirmed');
      for (const invitationId of [id, other.id, 999]) {
        expect(outcomeOf(await call(service, caller, 'accept', { invitationId }))).toBe('403 unconfirmed');
        expect(outcomeOf(await call(service, caller, 'decline', { invitationId }))).toBe('404 not_found');
      }
      const { data } = fieldsOf<{ data: unknown[] }>(await call(service, caller, 'listMine'));
      expect(data).toEqual([]);

      const refused = await service.send('/v1/invitation/accept', { ...caller, body: { token } });
      const { error } = (await refused.json()) as { error: { flow: string } };
      const [mail] = await readOutbox(service);
      expect(mail).toMatchObject({ kind: 'signInCode', to: planter.email });
      const code = /^ {4}(\d{8})$/m.exec(mail?.text ?? '')?.[1];
      const proven = await service.send('/v1/signIn/email', { body: { flow: error.flow, code } });
      const session = (await proven.json()) as { data: { token: string } };
      expect(outcomeOf(await call(service, caller, 'accept', { token }))).toMatch(/^401/);
      const owner = { token: session.data.token };
      expect(outcomeOf(await call(service, owner, 'accept', { token }))).toBe('200');
    },
  );

  it('mails a link to set a password, which proves the address too, where sign-in by mail is off', async () => {
    await using world = await start({ EMAIL_SIGN_IN: 'false' });
    const { service } = world;
    const planter = await insertTestMember(service.database, { isConfirmed: true, isProven: false });
    const { token } = await invite(service, planter.email);
    const accept = (caller: TransportCaller) => call(service, caller, 'accept', { token });
    expect(outcomeOf(await accept({ token: planter.token }))).toBe('403 unconfirmed');
    const [mail] = await readOutbox(service);
    expect(mail).toMatchObject({ kind: 'passwordReset', to: planter.email });
    const body = { token: mail?.token, password: PASSWORD };
    expect((await service.send('/resetPassword', { body })).status).toBe(200);
    const owner = await signInByPassword(service, planter.email, PASSWORD);
    expect(outcomeOf(await accept({ token: owner.token }))).toBe('200');
  });

  it('refuses staff, and sessions that a partner began', async () => {
    await using world = await start();
    const { service } = world;
    const { id, token } = await invite(service, 'staff@gatehouse.test');
    const staff = await callerOf(service, 'staff@gatehouse.test');
    expect(outcomeOf(await call(service, staff, 'accept', { token }))).toBe('403 permission_denied');
    expect(outcomeOf(await call(service, staff, 'accept', { invitationId: id }))).toBe(
      '403 permission_denied',
    );
    const { sessions } = service.database.tables;
    const member = await insertTestMember(service.database, { memberships: { 1: 2 } });
    const row = (await service.database.select().from(sessions)).find((each) => each.memberId === member.id);
    if (!row) throw new Error('a test member has a session');
    const {
      token: begun,
      tokenKey,
      expiresAtMs,
    } = service.services.tokens.sealSession({
      userId: member.id,
      role: 5,
      defaultPaymentId: 2,
      accountId: null,
      isPersonnel: false,
    });
    await service.database.insert(sessions, {
      ...row,
      id: row.id + 1_000,
      tokenKey,
      expiresAtMs,
      partnerId: 1,
    });
    const byPartner = { token: begun, accountId: 1 };
    expect((await service.send('/auth/me', { token: begun })).status).toBe(200);
    for (const [name, input] of Object.entries({
      create: { email: 'x@x.test', roleType: 5 },
      resend: { invitationId: id },
      revoke: { invitationId: id },
      accept: { token },
      decline: { invitationId: id },
      listMine: {},
    })) {
      const { status } = await call(service, byPartner, name, input);
      expect([name, status]).toEqual([name, 403]);
    }
  });

  it('says why a link no longer works', async () => {
    await using world = await start();
    const { service, clock } = world;
    const cedar = () => callerOf(service, 'owner@cedar.test');
    const everywhere = async (token: string) => [
      outcomeOf(await call(service, {}, 'preview', { token })),
      outcomeOf(await call(service, {}, 'join', { token, ...ada })),
      outcomeOf(await call(service, await cedar(), 'accept', { token })),
      outcomeOf(await call(service, {}, 'decline', { token })),
    ];
    const all = (outcome: string) => [outcome, outcome, outcome, outcome];

    const first = await invite(service, 'owner@cedar.test');
    const second = await invite(service, 'owner@cedar.test');
    expect(await everywhere(first.token)).toEqual(all('409 invitation_replaced'));
    clock.nowMs += 8 * DAY_MS;
    expect(await everywhere(second.token)).toEqual(all('409 invitation_expired'));
    const third = await invite(service, 'owner@cedar.test');
    await call(service, third.owner, 'revoke', { invitationId: third.id });
    expect(await everywhere(third.token)).toEqual(all('409 invitation_revoked'));
    const fourth = await invite(service, 'owner@birch.test');
    await call(service, await callerOf(service, 'owner@birch.test'), 'accept', { invitationId: fourth.id });
    expect(await everywhere(fourth.token)).toEqual(all('409 invitation_used'));
    const fifth = await invite(service, 'owner@cedar.test');
    await changeAccess(service.database, { accounts: [1] }, (tx) =>
      shutAccount(tx, { accountId: 1, closedById: 1, erasesAtMs: clock.nowMs + 1, nowMs: clock.nowMs }),
    );
    expect(await everywhere(fifth.token)).toEqual(all('409 invitation_void'));
  });

  it('is void once its inviter may no longer assign its role', async () => {
    await using world = await start();
    const { service } = world;
    const { id, token } = await invite(service, 'owner@cedar.test', { roleType: 1 });
    const other = await invite(service, 'owner@birch.test', { roleType: 2 });
    await changeAccess(service.database, { members: [3] }, (tx) =>
      setMembership(tx, { memberId: 3, accountId: 1, roleType: 2, nowMs: 1 }),
    );
    const cedar = await callerOf(service, 'owner@cedar.test');
    for (const input of [{ token }, { invitationId: id }]) {
      expect(outcomeOf(await call(service, cedar, 'accept', input))).toBe('409 invitation_void');
    }
    const manager = { ...(await callerOf(service, 'manager@acme.test')), accountId: 1 };
    for (const name of ['resend', 'revoke']) {
      expect(outcomeOf(await call(service, manager, name, { invitationId: id }))).toBe(
        '403 permission_denied',
      );
    }
    const same = { email: 'owner@cedar.test', roleType: 5 };
    expect(outcomeOf(await call(service, manager, 'create', same))).toBe('403 permission_denied');
    const birch = await callerOf(service, 'owner@birch.test');
    expect(outcomeOf(await call(service, birch, 'accept', { token: other.token }))).toBe('200');
  });

  it('does not link the new member to the partner who registered the account', async () => {
    await using world = await start();
    const { service } = world;
    const { partnerMembers, accounts } = service.database.tables;
    const accountId = await service.database.insert(accounts, {
      name: 'Partner account',
      nameKey: 'partner account',
      ownerId: 3,
      createdByPartnerId: 1,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    await changeAccess(service.database, { members: [3] }, (tx) =>
      setMembership(tx, { memberId: 3, accountId, roleType: 1, nowMs: 1 }),
    );
    const owner = { ...(await callerOf(service, 'owner@acme.test')), accountId };
    const before = await service.database.select().from(partnerMembers);
    for (const email of ['owner@cedar.test', 'ada@lovelace.test']) {
      await call(service, owner, 'create', { email, roleType: 5 });
    }
    const cedar = await callerOf(service, 'owner@cedar.test');
    const link = { token: await linkTo(service, 'owner@cedar.test') };
    expect(outcomeOf(await call(service, cedar, 'accept', link))).toBe('200');
    const joining = { token: await linkTo(service, 'ada@lovelace.test'), ...ada };
    expect(outcomeOf(await call(service, {}, 'join', joining))).toBe('200');
    expect(await service.database.select().from(partnerMembers)).toEqual(before);
  });

  it('is declined by the link alone or by its member, and afterwards only the link can accept', async () => {
    await using world = await start();
    const { service } = world;
    const byLink = await invite(service, 'nobody@x.test');
    expect(outcomeOf(await call(service, {}, 'decline', { token: byLink.token }))).toBe('200');
    expect(outcomeOf(await call(service, {}, 'decline', { token: byLink.token }))).toBe('200');
    expect(outcomeOf(await call(service, {}, 'join', { token: byLink.token, ...ada }))).toBe('200');
    const { id } = await invite(service, 'owner@cedar.test');
    expect((await call(service, {}, 'decline', { invitationId: id })).status).toBe(401);
    expect((await call(service, {}, 'decline', {})).status).toBe(400);
    const cedar = await callerOf(service, 'owner@cedar.test');
    expect(outcomeOf(await call(service, cedar, 'decline', { invitationId: id }))).toBe('200');
    expect(outcomeOf(await call(service, cedar, 'decline', { invitationId: id }))).toBe('200');
    expect(outcomeOf(await call(service, cedar, 'accept', { invitationId: id }))).toBe('409 invitation_used');
    const { auditLog } = service.database.tables;
    const lines = (await service.database.select().from(auditLog)).filter(
      ({ action }) => action === 'invitation.declined',
    );
    expect(lines).toMatchObject([{ actorId: null }, { actorId: 9 }]);
    const accepted = await invite(service, 'owner@cedar.test');
    await call(service, cedar, 'accept', { invitationId: accepted.id });
    expect(outcomeOf(await call(service, cedar, 'decline', { invitationId: accepted.id }))).toBe(
      '409 invitation_used',
    );
  });

  it('can be accepted after a decline through the same link, until it expires, is revoked or is replaced', async () => {
    await using world = await start();
    const { service, clock } = world;
    const cedar = await callerOf(service, 'owner@cedar.test');
    const declined = async (email: string, input: object = {}) => {
      const invitation = await invite(service, email, input);
      for (const _press of [1, 2])
        expect(outcomeOf(await call(service, {}, 'decline', { token: invitation.token }))).toBe('200');
      return invitation;
    };
    const accepting = async ({ token }: { token: string }) =>
      outcomeOf(await call(service, cedar, 'accept', { token }));

    const revoked = await declined('owner@cedar.test');
    expect(outcomeOf(await call(service, revoked.owner, 'revoke', { invitationId: revoked.id }))).toBe('200');
    expect(await accepting(revoked)).toBe('409 invitation_revoked');
    const higher = await declined('owner@cedar.test', { roleType: 2 });
    const lower = await declined('owner@cedar.test');
    expect(await accepting(higher)).toBe('409 invitation_replaced');
    expect(outcomeOf(await call(service, {}, 'preview', { token: higher.token }))).toBe(
      '409 invitation_replaced',
    );
    expect(outcomeOf(await call(service, {}, 'preview', { token: lower.token }))).toBe('200');
    const answers = await Promise.all(Array.from({ length: 20 }, () => accepting(lower)));
    expect(answers).toEqual(Array.from({ length: 20 }, () => '200'));
    const { invitations, memberships } = service.database.tables;
    const rows = await service.database.select().from(memberships);
    expect(rows.filter(({ accountId, memberId }) => accountId === 1 && memberId === 9)).toMatchObject([
      { roleType: 3, active: true },
    ]);
    const left = (await service.database.select().from(invitations)).map(({ status }) => status);
    expect(left).toEqual(['revoked', 'declined', 'accepted']);

    const late = await declined('late@x.test');
    clock.nowMs += 8 * DAY_MS;
    expect(outcomeOf(await call(service, {}, 'join', { token: late.token, ...ada }))).toBe(
      '409 invitation_expired',
    );
  });

  it("lists the caller's open invitations, in every account", async () => {
    await using world = await start();
    const { service, clock } = world;
    const { id } = await invite(service, 'owner@cedar.test');
    const birch = { ...(await callerOf(service, 'owner@birch.test')), accountId: 2 };
    await call(service, birch, 'create', { email: 'OWNER@cedar.test', roleType: 5, days: 1 });
    const cedar = await callerOf(service, 'owner@cedar.test');
    const listed = fieldsOf<{ data: object[] }>(await call(service, cedar, 'listMine')).data;
    expect(listed).toMatchObject([
      { accountId: 2, accountName: 'Birch & Co', roleType: 5, state: 'pending' },
      { id, accountId: 1, accountName: 'Acme Studio', inviterName: 'Olivia Marsh', role: 'Contributor' },
    ]);
    expect(JSON.stringify(listed)).not.toMatch(/token/i);
    const first = fieldsOf<{ data: object[]; page: { nextCursor: string } }>(
      await call(service, cedar, 'listMine', { limit: 1 }),
    );
    const rest = await call(service, cedar, 'listMine', { limit: 1, cursor: first.page.nextCursor });
    expect([...first.data, ...fieldsOf<{ data: object[] }>(rest).data]).toEqual(listed);
    clock.nowMs += 2 * DAY_MS;
    const later = await callerOf(service, 'owner@cedar.test');
    expect(fieldsOf(await call(service, later, 'listMine'))).toMatchObject({ data: [{ id }] });
    await call(service, later, 'accept', { invitationId: id });
    expect(fieldsOf(await call(service, later, 'listMine'))).toMatchObject({ data: [] });
  });

  it('assigns a custom role as it is on acceptance, and refuses a removed one', async () => {
    await using world = await start();
    const { service } = world;
    const { database } = service;
    const { customRoles } = database.tables;
    const made = (name: string, permissions: string[]) =>
      changeAccess(database, { accounts: [1] }, (tx) =>
        tx.insert(customRoles, {
          accountId: 1,
          name,
          nameKey: name.toLowerCase(),
          roleType: 3,
          permissions,
          createdAtMs: 1,
          updatedAtMs: 1,
        }),
      );
    const customRoleId = await made('Front desk', ['account.read']);
    const owner = { ...(await callerOf(service, 'owner@acme.test')), accountId: 1 };
    const input = { email: 'owner@cedar.test', customRoleId };
    const created = await call(service, owner, 'create', input);
    expect(fieldsOf(created)).toMatchObject({
      data: { roleType: 3, role: 'Front desk', customRoleId, state: 'pending' },
    });
    const cedar = await callerOf(service, 'owner@cedar.test');
    const token = await linkTo(service, 'owner@cedar.test');
    expect(fieldsOf(await call(service, cedar, 'preview', { token }))).toMatchObject({ role: 'Front desk' });
    expect(outcomeOf(await call(service, cedar, 'accept', { token }))).toBe('200');
    expect(await findMembership(database, { memberId: 9, accountId: 1 })).toMatchObject({ customRoleId });
    const asMember = { ...cedar, accountId: 1 };
    expect(await me(service, asMember)).toMatchObject({ currentAccount: { permissions: ['account.read'] } });
    expect((await service.send('/getAllMemberslist', asMember)).status).toBe(403);

    const billing = await made('Books', ['account.read', 'billing.manage']);
    const manager = { ...(await callerOf(service, 'manager@acme.test')), accountId: 1 };
    const beyond = { email: 'new@x.test', customRoleId: billing };
    expect(outcomeOf(await call(service, manager, 'create', beyond))).toBe('403 permission_denied');
    const elsewhere = { ...(await callerOf(service, 'owner@birch.test')), accountId: 2 };
    expect(outcomeOf(await call(service, elsewhere, 'create', beyond))).toBe('404 not_found');

    const gone = await invite(service, 'owner@birch.test', { roleType: undefined, customRoleId: billing });
    await changeAccess(database, { accounts: [1] }, (tx) => tx.write(tx.delete(customRoles)));
    expect(outcomeOf(await call(service, elsewhere, 'accept', { token: gone.token }))).toBe(
      '409 invitation_void',
    );
  });
});

describe('the read procedures for invitations', () => {
  it('accept a query as well, and name unknown fields', async () => {
    await using world = await start();
    const { service } = world;
    const owner = { ...(await callerOf(service, 'owner@acme.test')), accountId: 1 };
    const body = { email: 'new@x.test', roleType: 5 };
    expect((await service.send('/v1/invitation/create', { ...owner, body })).status).toBe(200);
    const token = await linkTo(service, 'new@x.test');
    const shown = await service.send(`/v1/invitation/preview?token=${token}`);
    expect(await shown.json()).toMatchObject({ status: true, email: 'new@x.test' });
    expect(shown.headers.get('cache-control')).toBe('no-store');
    const listed = await service.send('/v1/invitation/list?state=pending&limit=1', owner);
    expect(await listed.json()).toMatchObject({ data: [{ email: 'new@x.test' }], page: { limit: 1 } });
    for (const path of ['/v1/invitation/list?who=x', '/v1/invitation/preview?token=x&id=1']) {
      const refused = await service.send(path, owner);
      expect([path, refused.status]).toEqual([path, 400]);
      expect(JSON.stringify(await refused.json())).toMatch(/"path":"(who|id)"/);
    }
    const unknown = { ...body, isAdmin: true };
    const refused = await service.send('/v1/invitation/create', { ...owner, body: unknown });
    expect(await refused.json()).toMatchObject({
      error: { code: 'invalid_input', issues: [{ path: 'isAdmin' }] },
    });
    expect((await service.send('/v1/invitation/create', owner)).status).toBe(405);
  });
});

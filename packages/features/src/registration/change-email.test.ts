import { createApp } from '@gatehouse/api-main/app';
import { findMemberAddress } from '@gatehouse/db/queries/read-members';
import {
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const HOUR_MS = 3_600_000;
const ada = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };
const elsewhere = 'ada@elsewhere.test';

function start(options: { now?: () => number } = {}) {
  return startService(createApp, {
    dialect,
    application: 'web',
    env: developmentEnvironment(),
    ...options,
  });
}

async function post(service: RunningService, path: string, body: object, token?: string) {
  const response = await service.send(path, { body, ...(token === undefined ? {} : { token }) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const change = (service: RunningService, token: string, email: string) =>
  post(service, '/v1/email/change', { email }, token);

const approve = (service: RunningService, token: string, isApproved = true) =>
  post(service, '/v1/email/approve', { token, approve: isApproved, password: ada.password });

const confirm = (service: RunningService, token: string, password?: string) =>
  post(service, '/confirmationDetails', { token, ...(password === undefined ? {} : { password }) });

const me = async (service: RunningService, token: string) => {
  const response = await service.send('/auth/me', { token });
  if (response.status !== 200) return response.status;
  return ((await response.json()) as { member: Record<string, unknown> }).member;
};

async function newest(service: RunningService, kind: string, to: string): Promise<string> {
  const mail = (await readOutbox(service)).find((each) => each.kind === kind && each.to === to);
  expect(mail).toBeDefined();
  return mail?.token ?? '';
}

/** A member who registered and confirmed the address. */
async function join(service: RunningService) {
  const registered = await post(service, '/register', ada);
  const session = String(registered.body['token']);
  await confirm(service, await newest(service, 'activation', ada.email), ada.password);
  return { session, memberId: Number(registered.body['userId']) };
}

describe('a change of address', () => {
  it('is mailed again to mailboxes that have not agreed, and two links of one mailbox are one consent', async () => {
    await using service = await start();
    const { session } = await join(service);
    const again = () => post(service, '/v1/email/resend', {}, session);
    const details = (token: string) => post(service, '/v1/email/approvalDetails', { token });
    expect(await again()).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
    await change(service, session, elsewhere);
    const first = await newest(service, 'addressApproval', ada.email);
    expect((await again()).status).toBe(200);
    const sent = (await readOutbox(service)).map(({ kind, to }) => `${kind} ${to}`);
    expect(sent.filter((each) => each === `addressApproval ${ada.email}`)).toHaveLength(2);
    expect(sent.filter((each) => each === `activation ${elsewhere}`)).toHaveLength(2);
    const second = await newest(service, 'addressApproval', ada.email);
    expect(second).not.toBe(first);
    for (const token of [first, second])
      expect((await details(token)).body).toMatchObject({
        change: { email: ada.email, pendingEmail: 'a***@elsewhere.test' },
      });
    for (const token of [first, second]) expect((await approve(service, token)).status).toBe(200);
    expect(await me(service, session)).toMatchObject({ email: ada.email, awaits: ['new'] });
    for (const token of [first, second]) expect((await details(token)).body).toMatchObject({ change: null });

    expect((await again()).status).toBe(200);
    const later = (await readOutbox(service)).map(({ kind, to }) => `${kind} ${to}`);
    expect(later.filter((each) => each === `addressApproval ${ada.email}`)).toHaveLength(2);
    await confirm(service, await newest(service, 'activation', elsewhere));
    expect(await me(service, session)).toMatchObject({ email: elsewhere, pendingEmail: null });
    expect(await details(second)).toMatchObject({ status: 200, body: { change: null } });
    expect(await details('x')).toMatchObject({ status: 403, body: { error: { code: 'invalid_token' } } });
  });

  it.each(['the old mailbox first', 'the new mailbox first'])(
    'happens once both have agreed, %s',
    async (order) => {
      await using service = await start();
      const { session } = await join(service);
      const asked = await change(service, session, elsewhere);
      expect(asked).toMatchObject({
        status: 200,
        body: { status: true, data: { pendingEmail: elsewhere, awaits: ['old', 'new'] } },
      });
      const ends = {
        old: async () => approve(service, await newest(service, 'addressApproval', ada.email)),
        new: async () => confirm(service, await newest(service, 'activation', elsewhere)),
      };
      const [first, second] = order.startsWith('the old')
        ? (['old', 'new'] as const)
        : (['new', 'old'] as const);
      expect((await ends[first]()).status).toBe(200);
      expect(await me(service, session)).toMatchObject({
        email: ada.email,
        pendingEmail: elsewhere,
        awaits: [second],
      });
      expect((await ends[first]()).status).toBe(200);
      expect(await me(service, session)).toMatchObject({ email: ada.email });
      expect((await ends[second]()).status).toBe(200);
      expect(await me(service, session)).toMatchObject({
        email: elsewhere,
        sid: elsewhere,
        emailVerified: true,
        pendingEmail: null,
        awaits: [],
      });
      const told = (await readOutbox(service)).filter(({ kind }) => kind === 'addressChanged');
      expect(told.map(({ to }) => to).toSorted()).toEqual([elsewhere, ada.email].toSorted());
      await signInByPassword(service, elsewhere, ada.password);
      expect((await post(service, '/webauthenticate', ada)).status).toBe(401);
      expect((await ends[second]()).status).toBe(200);
    },
  );

  it('waits for the current mailbox, despite any number of concurrent clicks in the new one', async () => {
    await using service = await start();
    const { session } = await join(service);
    await change(service, session, elsewhere);
    const first = await newest(service, 'activation', elsewhere);
    await post(service, '/auth/resendConfirmation', {}, session);
    const links = new Set(
      (await readOutbox(service)).flatMap(({ kind, to, token }) =>
        kind === 'activation' && to === elsewhere ? [token ?? ''] : [],
      ),
    );
    expect(links.size).toBe(2);
    const [second = ''] = [...links].filter((link) => link !== first);
    // Comparing the password takes time, so the state can change between reading the link and using it.
    const answers = await Promise.all([
      confirm(service, first, ada.password),
      confirm(service, second, ada.password),
      confirm(service, second),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await me(service, session)).toMatchObject({
      email: ada.email,
      pendingEmail: elsewhere,
      awaits: ['old'],
    });
    await approve(service, await newest(service, 'addressApproval', ada.email));
    expect(await me(service, session)).toMatchObject({ email: elsewhere, awaits: [] });
  });

  it('requires only the new mailbox when the current address was never confirmed', async () => {
    await using service = await start();
    const registered = await post(service, '/register', ada);
    const session = String(registered.body['token']);
    expect((await change(service, session, elsewhere)).body).toMatchObject({ data: { awaits: ['new'] } });
    await confirm(service, await newest(service, 'activation', elsewhere));
    expect(await me(service, session)).toMatchObject({ email: elsewhere, emailVerified: true });
    const kinds = (await readOutbox(service)).map(({ kind, to }) => [kind, to]);
    expect(kinds).not.toContainEqual(['addressApproval', ada.email]);
    expect(kinds).not.toContainEqual(['addressChanged', ada.email]);
  });

  it('ends every session when the current mailbox refuses', async () => {
    await using service = await start();
    const { session } = await join(service);
    const other = await signInByPassword(service, ada.email, ada.password);
    await change(service, session, elsewhere);
    const activation = await newest(service, 'activation', elsewhere);
    const approval = await newest(service, 'addressApproval', ada.email);
    expect((await approve(service, approval, false)).status).toBe(200);
    expect([await me(service, session), await me(service, other.token)]).toEqual([401, 401]);
    expect(await confirm(service, activation)).toMatchObject({
      status: 403,
      body: { error: { code: 'invalid_token' } },
    });
    expect((await approve(service, approval, true)).status).toBe(200);
    const again = await signInByPassword(service, ada.email, ada.password);
    expect(await me(service, again.token)).toMatchObject({
      email: ada.email,
      pendingEmail: null,
      awaits: [],
    });
  });

  it('can be canceled from the current address, and its links are then void', async () => {
    await using service = await start();
    const { session } = await join(service);
    await change(service, session, elsewhere);
    expect(await change(service, session, 'ADA@lovelace.test')).toMatchObject({
      status: 200,
      body: { data: { pendingEmail: null, awaits: [] } },
    });
    for (const answer of [
      await approve(service, await newest(service, 'addressApproval', ada.email)),
      await confirm(service, await newest(service, 'activation', elsewhere)),
      await approve(service, 'x'),
      await approve(service, session),
    ])
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'invalid_token' } } });
    expect(await me(service, session)).toMatchObject({ email: ada.email });
  });

  it('can be requested three times an hour, and the newest request applies', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { session } = await join(service);
    await change(service, session, 'first@elsewhere.test');
    const first = await newest(service, 'addressApproval', ada.email);
    clock.nowMs += 1000;
    await change(service, session, 'second@elsewhere.test');
    expect((await approve(service, first)).status).toBe(403);
    expect((await confirm(service, await newest(service, 'activation', 'first@elsewhere.test'))).status).toBe(
      403,
    );
    expect((await change(service, session, elsewhere)).status).toBe(200);
    expect(await change(service, session, elsewhere)).toMatchObject({
      status: 429,
      body: { error: { code: 'rate_limited' } },
    });
    expect((await change(service, session, ada.email)).status).toBe(200);
    clock.nowMs += HOUR_MS;
    const again = await signInByPassword(service, ada.email, ada.password);
    expect((await change(service, again.token, elsewhere)).status).toBe(200);
  });

  it('answers the same for a taken address, and fails at the confirmation', async () => {
    await using service = await start();
    const { session } = await join(service);
    const free = await change(service, session, elsewhere);
    const taken = await change(service, session, 'owner@acme.test');
    expect({ ...taken, body: { ...taken.body, data: null } }).toEqual({
      ...free,
      body: { ...free.body, data: null },
    });
    expect(taken.body).toMatchObject({ data: { pendingEmail: 'owner@acme.test', awaits: ['old', 'new'] } });
    const link = await newest(service, 'activation', 'owner@acme.test');
    expect(await confirm(service, link)).toMatchObject({
      status: 409,
      body: { error: { code: 'email_taken' } },
    });
    await approve(service, await newest(service, 'addressApproval', ada.email));
    expect(await confirm(service, link)).toMatchObject({
      status: 409,
      body: { error: { code: 'email_taken' } },
    });
    expect(await me(service, session)).toMatchObject({ email: ada.email });
  });

  it('notifies the current mailbox if the address was taken after the new one had agreed', async () => {
    await using service = await start();
    const { session } = await join(service);
    await change(service, session, elsewhere);
    await confirm(service, await newest(service, 'activation', elsewhere));
    await post(service, '/register', { ...ada, username: 'other', email: elsewhere });
    const approval = await newest(service, 'addressApproval', ada.email);
    expect(await approve(service, approval)).toMatchObject({
      status: 409,
      body: { error: { code: 'email_taken' } },
    });
  });

  it('accepts one of twenty concurrent answers', async () => {
    await using service = await start();
    const { session } = await join(service);
    await change(service, session, elsewhere);
    await confirm(service, await newest(service, 'activation', elsewhere));
    const approval = await newest(service, 'addressApproval', ada.email);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => approve(service, approval, index % 2 === 0)),
    );
    expect(answers.every(({ status }) => status === 200 || status === 403)).toBe(true);
    const { auditLog } = service.database.tables;
    const lines = (await service.database.select().from(auditLog)).map(({ action }) => action);
    const moved = lines.filter((action) => action === 'address.changed').length;
    const denied = lines.filter((action) => action === 'address.change-denied').length;
    expect(moved + denied).toBe(1);
  });

  it('happens once when both mailboxes answer at the same time, on two nodes', async () => {
    await using service = await start();
    await using other = await startService(createApp, {
      dialect,
      application: 'web',
      env: developmentEnvironment(),
      database: service.database,
    });
    const { session } = await join(service);
    let present = ada.email;
    for (let round = 0; round < 3; round += 1) {
      const next = `round${round}@elsewhere.test`;
      await change(service, session, next);
      const approval = await newest(service, 'addressApproval', present);
      const activation = await newest(service, 'activation', next);
      const answers = await Promise.all([approve(service, approval), confirm(other, activation)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(await me(other, session)).toMatchObject({ email: next, pendingEmail: null, awaits: [] });
      present = next;
    }
  });

  it('records who proved the new address when the current mailbox agrees last', async () => {
    await using service = await start();
    const { session, memberId } = await join(service);
    const proven = async () => {
      const { members } = service.database.tables;
      const rows = await service.database.select().from(members);
      return rows.find(({ id }) => id === memberId)?.ownerProvenAtMs ?? null;
    };
    const move = async (to: string, present: string, password?: string) => {
      await change(service, session, to);
      await confirm(service, await newest(service, 'activation', to), password);
      await approve(service, await newest(service, 'addressApproval', present));
    };
    expect(await proven()).not.toBeNull();
    await move(elsewhere, ada.email);
    expect(await proven()).toBeNull();
    await move(ada.email, elsewhere, ada.password);
    expect(await proven()).not.toBeNull();
  });

  it('requires a member in person with a fresh proof', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { session } = await join(service);
    expect((await service.send('/v1/email/change', { body: { email: elsewhere } })).status).toBe(401);
    expect((await change(service, session, 'no address')).status).toBe(400);
    clock.nowMs += 601_000;
    expect(await change(service, session, elsewhere)).toMatchObject({
      status: 403,
      body: { error: { code: 'verification_required' } },
    });
    await post(service, '/v1/verification/prove', { password: ada.password }, session);
    expect((await change(service, session, elsewhere)).status).toBe(200);
    const { partnerMembers, partners, sessions } = service.database.tables;
    const [partner] = await service.database.select().from(partners);
    const begun = await insertTestMember(service.database);
    const partnerId = partner?.id ?? 0;
    await service.database.insert(partnerMembers, { partnerId, memberId: begun.id, linkedAtMs: 1 });
    await service.database.write(service.database.update(sessions).set({ partnerId }));
    expect(await change(service, begun.token, 'third@elsewhere.test')).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
  });

  it('works over tRPC as well', async () => {
    await using service = await start();
    const { session } = await join(service);
    const asked = await post(service, '/trpc/email.change', { email: elsewhere }, session);
    expect(asked.body).toMatchObject({ result: { data: { data: { awaits: ['old', 'new'] } } } });
    const token = await newest(service, 'addressApproval', ada.email);
    expect((await post(service, '/trpc/email.approve', { token, approve: true }, session)).status).toBe(200);
    expect(await me(service, session)).toMatchObject({ awaits: ['new'] });
    const wrong = await post(service, '/trpc/email.approve', { token, approve: 'yes' });
    expect(wrong).toMatchObject({ status: 400, body: { error: { data: { reason: 'invalid_input' } } } });
  });
});

describe('the page of a change of address', () => {
  it('shows a masked address and changes nothing; its buttons agree or refuse', async () => {
    await using service = await start();
    const { session } = await join(service);
    await change(service, session, elsewhere);
    const token = await newest(service, 'addressApproval', ada.email);
    const path = `/email-approval?${new URLSearchParams({ token })}`;
    const shown = await (await service.send(path)).text();
    expect(shown).toContain('a***@elsewhere.test');
    expect(shown).not.toContain(elsewhere);
    expect(await me(service, session)).toMatchObject({ awaits: ['old', 'new'] });
    const form = (fields: Record<string, string>) =>
      service.send('/email-approval', {
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
    expect((await form({ token, approve: 'maybe' })).status).toBe(400);
    expect((await form({ token, approve: 'true', password: ada.password })).status).toBe(200);
    expect(await me(service, session)).toMatchObject({ awaits: ['new'] });
    expect(await (await service.send(path)).text()).toContain('already responded');
    expect((await service.send('/email-approval?token=x')).status).toBe(403);
  });
});

describe('a member without an address', () => {
  it('adds one as login name, then a password, which ends their other sessions', async () => {
    await using service = await start();
    const { database } = service;
    const here = await insertTestMember(database, { isWithoutAddress: true });
    const there = await here.signInAgain();
    const refused = await post(service, '/v1/password/set', { newPassword: ada.password }, here.token);
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'unconfirmed' } } });
    const changing = { currentPassword: 'x', newPassword: ada.password };
    expect(await post(service, '/auth/password', changing, here.token)).toMatchObject({
      status: 409,
      body: { error: { code: 'no_password' } },
    });
    expect(await post(service, '/auth/resendConfirmation', {}, here.token)).toMatchObject({
      status: 409,
      body: { error: { code: 'no_address' } },
    });
    expect(await readOutbox(service)).toEqual([]);

    expect((await change(service, here.token, ada.email)).body).toMatchObject({ data: { awaits: ['new'] } });
    await confirm(service, await newest(service, 'activation', ada.email));
    expect(await me(service, here.token)).toMatchObject({
      sid: ada.email,
      email: ada.email,
      hasPassword: false,
    });
    expect(await me(service, there)).toBe(401);

    const again = await here.signInAgain();
    const set = await post(service, '/v1/password/set', { newPassword: ada.password }, here.token);
    expect(set.status).toBe(200);
    expect([await me(service, again), await me(service, here.token)]).toMatchObject([
      401,
      { hasPassword: true },
    ]);
    await signInByPassword(service, ada.email, ada.password);
    const mails = await readOutbox(service);
    expect(mails.map(({ kind, to }) => [kind, to])).toContainEqual(['passwordChanged', ada.email]);
    const repeated = await post(
      service,
      '/trpc/password.set',
      { newPassword: 'Copper-Meadow-17' },
      here.token,
    );
    expect(repeated).toMatchObject({ status: 409, body: { error: { data: { reason: 'password_exists' } } } });
    expect((await findMemberAddress(database, here.id))?.emailConfirmedAtMs).not.toBeNull();
  });

  it('cannot set a common password, or one without a proof', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { token } = await insertTestMember(service.database, { isWithoutAddress: true });
    await change(service, token, ada.email);
    await confirm(service, await newest(service, 'activation', ada.email));
    const common = await post(service, '/v1/password/set', { newPassword: 'password123' }, token);
    expect(common).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    clock.nowMs += 601_000;
    expect(await post(service, '/v1/password/set', { newPassword: ada.password }, token)).toMatchObject({
      status: 403,
      body: { error: { code: 'verification_required' } },
    });
  });

  it('gets mails and pages about a change of the account, not about a registration', async () => {
    await using service = await start();
    const { session } = await join(service);
    await change(service, session, elsewhere);
    const asked = (await readOutbox(service)).find(({ to }) => to === elsewhere);
    expect(asked).toMatchObject({ kind: 'activation', subject: 'Confirm your new email address' });
    for (const part of [asked?.text ?? '', asked?.html ?? '']) {
      expect(part).toContain('The account “ada” wants to use this email address');
      expect(part).not.toContain('registered');
    }
    const token = asked?.token ?? '';
    const details = await service.send(`/confirmationDetails?${new URLSearchParams({ token }).toString()}`);
    expect(await details.json()).toMatchObject({ email: elsewhere, username: 'ada', isChange: true });
    expect(await confirm(service, token)).toMatchObject({ body: { awaitsOld: true } });
    expect(await confirm(service, token)).toMatchObject({
      body: { awaitsOld: true, alreadyConfirmed: true },
    });
    await approve(service, await newest(service, 'addressApproval', ada.email));
    expect(await confirm(service, token)).toMatchObject({
      body: { awaitsOld: false, alreadyConfirmed: true },
    });
    await change(service, session, 'ada@third.test');
    await approve(service, await newest(service, 'addressApproval', elsewhere));
    const last = await newest(service, 'activation', 'ada@third.test');
    expect(await confirm(service, last)).toMatchObject({
      body: { awaitsOld: false, alreadyConfirmed: false },
    });
  });
});

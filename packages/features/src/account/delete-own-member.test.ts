import { createApp } from '@gatehouse/api-main/app';
import {
  blockOf,
  developmentEnvironment,
  insertTestMember,
  type RunningService,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { readStripeEvent } from '../billing/read-stripe-event.js';
import { changeColumn } from '../test/change-column.js';
import { endGrace } from '../test/end-grace.js';
import { accountErasure, memberErasure } from './erasure-jobs.js';

const dialect = inject('dialect');

const DAY_MS = 86_400_000;

const password = 'Lantern-Harbor-42';

/** A member whose names occur nowhere else. */
const zephyrine = {
  username: 'zephy-quill',
  email: 'zephyrine@featherly.test',
  password: 'Analytical-Engine-1843',
  firstName: 'Zephyrine',
  lastName: 'Quillfeather',
};

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
  const text = await response.text();
  const answer: unknown = text.startsWith('{') ? JSON.parse(text) : text;
  return { status: response.status, body: answer };
}

const deleteOwn = (service: RunningService, token: string, input: object = {}) =>
  post(service, '/v1/member/deleteOwn', input, token);

const restoreOwn = (service: RunningService, token: string) =>
  post(service, '/v1/member/restoreOwn', { token, password: zephyrine.password });

const status = async (service: RunningService, token: string) =>
  (await service.send('/auth/me', { token })).status;

async function join(service: RunningService) {
  const registered = await post(service, '/register', zephyrine);
  const { token, userId, accountId } = registered.body as {
    token: string;
    userId: number;
    accountId: number;
  };
  const [mail] = await readOutbox(service);
  await post(service, '/confirmationDetails', { token: mail?.token, password: zephyrine.password });
  return { token, userId, accountId };
}

async function restoreLink(service: RunningService): Promise<string> {
  const mail = (await readOutbox(service)).find(({ kind }) => kind === 'memberDeleted');
  return mail?.token ?? '';
}

/** The whole content of the database as one text. */
async function dump({ database }: RunningService): Promise<string> {
  const tables = await Promise.all(
    Object.values(database.tables).map(async (table) => database.select().from(table as never)),
  );
  return JSON.stringify(tables);
}

describe('deleting oneself', () => {
  it('ends all access immediately, and the mailed link restores it with the accounts that closed', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { token, accountId } = await join(service);
    const other = await signInByPassword(service, zephyrine.email, zephyrine.password);
    const deleted = await deleteOwn(service, token);
    expect(deleted).toMatchObject({ status: 200, body: { status: true } });
    expect(deleted.body).toMatchObject({ data: { isLinkMailed: true } });
    const { erasedAt } = (deleted.body as { data: { erasedAt: string } }).data;
    expect(Math.abs(Date.parse(erasedAt) - Date.now() - 30 * DAY_MS)).toBeLessThan(60_000);
    expect([await status(service, token), await status(service, other.token)]).toEqual([401, 401]);
    const login = { email: zephyrine.email, password: zephyrine.password };
    expect(await post(service, '/webauthenticate', login)).toMatchObject({
      status: 401,
      body: { error: { code: 'invalid_credentials' } },
    });
    expect((await post(service, '/register', { ...zephyrine, username: 'somebody' })).status).toBe(409);
    // A node whose clock is ahead erases nobody.
    clock.nowMs += 29 * DAY_MS;
    await memberErasure.run({ ...service.services, now: () => clock.nowMs + 400 * DAY_MS });
    const link = await restoreLink(service);
    const page = await (await service.send(`/restore?${new URLSearchParams({ token: link })}`)).text();
    expect(page).toContain('Restore account');
    const details = async () => (await post(service, '/v1/member/restorationDetails', { token: link })).body;
    expect(await details()).toMatchObject({ isUsed: false, erasedAt });
    expect((await post(service, '/webauthenticate', login)).status).toBe(401);
    expect((await restoreOwn(service, link)).status).toBe(200);
    expect((await restoreOwn(service, link)).status).toBe(200);
    expect(await details()).toMatchObject({ isUsed: true, erasedAt });
    expect(await status(service, token)).toBe(401);
    const again = await signInByPassword(service, zephyrine.email, zephyrine.password);
    expect(again.accountId).toBe(accountId);
    const events = await service.send('/v1/securityEvent/listMine', { token: again.token });
    const { data } = (await events.json()) as { data: { kind: string; outcome: string }[] };
    const kinds = data.filter(({ outcome }) => outcome === 'ok').map(({ kind }) => kind);
    expect(kinds.slice(0, 3)).toEqual(['login', 'member.restored', 'member.deleted']);
  });

  it('requires a choice for every account with other members, and closes or transfers it accordingly', async () => {
    await using service = await start();
    const { database } = service;
    const { token, userId, accountId } = await join(service);
    const heir = await insertTestMember(database, { memberships: { [accountId]: 3 } });
    expect(await deleteOwn(service, token)).toMatchObject({
      status: 409,
      body: { error: { code: 'sole_owner', issues: [{ path: `accounts.${accountId}` }] } },
    });
    const handOver = { accounts: [{ accountId, action: 'transfer', memberId: heir.id }] };
    expect(await deleteOwn(service, token, handOver)).toMatchObject({
      status: 403,
      body: { error: { code: 'unconfirmed' } },
    });
    for (const [accounts, code, at] of [
      [[{ accountId: 1, action: 'close' }], 'invalid_input', 400],
      [[{ accountId, action: 'transfer' }], 'invalid_input', 400],
      [[{ accountId, action: 'keep' }], 'invalid_input', 400],
      [[{ accountId, action: 'transfer', memberId: userId }], 'not_found', 404],
      [[{ accountId, action: 'transfer', memberId: 9 }], 'not_found', 404],
    ] as const) {
      expect(await deleteOwn(service, token, { accounts })).toMatchObject({
        status: at,
        body: { error: { code } },
      });
    }
    expect(await status(service, token)).toBe(200);
    const { members, accounts } = database.tables;
    await database.write(database.update(members).set({ emailConfirmedAtMs: 1 }));
    expect(await deleteOwn(service, token, handOver)).toMatchObject({ status: 403 });
    await database.write(database.update(members).set({ ownerProvenAtMs: 1 }));
    const trpc = await post(service, '/trpc/member.deleteOwn', handOver, token);
    expect(trpc.status).toBe(200);
    const rows = await database.select().from(accounts);
    expect(rows.find(({ id }) => id === accountId)).toMatchObject({ ownerId: heir.id, isDeleted: false });
    expect((await post(service, '/v1/member/list', {}, heir.token)).status).toBe(400);
    expect((await restoreOwn(service, await restoreLink(service))).status).toBe(200);
    const again = await signInByPassword(service, zephyrine.email, zephyrine.password);
    // The new owner decides whether the former one comes back.
    expect(again.accountId).toBe(null);
    expect(rows.find(({ id }) => id === accountId)?.ownerId).toBe(heir.id);
  });

  it('takes the choices that the guide to profiles shows', async () => {
    await using service = await start();
    const { database } = service;
    const owner = await insertTestMember(database, { isConfirmed: true, memberships: { 1: 1, 2: 1 } });
    const heir = await insertTestMember(database, { isConfirmed: true, memberships: { 2: 3 } });
    for (const id of [1, 2])
      await changeColumn(database, { table: 'accounts', column: 'owner_id', id }, owner.id);
    const shown = blockOf('docs/profile.md', '"transfer"').replace('"memberId": 7', `"memberId": ${heir.id}`);
    const choices = JSON.parse(shown) as object;
    expect(await deleteOwn(service, owner.token, choices)).toMatchObject({ status: 200 });
    const { accounts } = database.tables;
    const rows = await database.select().from(accounts);
    expect(rows.find(({ id }) => id === 1)).toMatchObject({ isDeleted: true });
    expect(rows.find(({ id }) => id === 2)).toMatchObject({ isDeleted: false, ownerId: heir.id });
  });

  it('closes an account with other members for everybody on request', async () => {
    await using service = await start();
    const { token, accountId } = await join(service);
    const guest = await insertTestMember(service.database, { memberships: { [accountId]: 3 } });
    const within = () =>
      service.send('/auth/me', { token: guest.token, headers: { accountid: String(accountId) } });
    expect((await within()).status).toBe(200);
    expect((await deleteOwn(service, token, { accounts: [{ accountId, action: 'close' }] })).status).toBe(
      200,
    );
    expect((await within()).status).toBe(403);
    expect((await restoreOwn(service, await restoreLink(service))).status).toBe(200);
    expect((await within()).status).toBe(200);
  });

  it('refuses staff, callers without a fresh proof, and invalid input', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const staff = await signInByPassword(service, 'root@gatehouse.test', password);
    const refused = { status: 403, body: { error: { code: 'permission_denied' } } };
    expect(await deleteOwn(service, staff.token)).toMatchObject(refused);
    const { token } = await join(service);
    expect((await deleteOwn(service, token, { now: true })).status).toBe(400);
    clock.nowMs += 601_000;
    expect(await deleteOwn(service, token)).toMatchObject({
      status: 403,
      body: { error: { code: 'verification_required' } },
    });
    expect((await restoreOwn(service, 'x')).status).toBe(403);
    expect((await restoreOwn(service, token)).status).toBe(403);
  });

  it('frees an unproven address immediately, and mails no link to it', async () => {
    await using service = await start();
    const { members } = service.database.tables;
    const answer = await post(service, '/register', { ...zephyrine, username: zephyrine.email });
    const { token, userId } = answer.body as { token: string; userId: number };
    const deleted = await deleteOwn(service, token);
    expect(deleted).toMatchObject({ status: 200, body: { data: { isLinkMailed: false } } });
    expect(await restoreLink(service)).toBe('');
    const rows = await service.database.select().from(members);
    const { password: _, ...left } = rows.find(({ id }) => id === userId) ?? {};
    expect(left).toMatchObject({ isDeleted: true, email: null });
    expect(JSON.stringify(left)).not.toContain(zephyrine.email);
    const again = await post(service, '/register', { ...zephyrine, username: zephyrine.email });
    expect(again.status).toBe(200);
    expect((await post(service, '/forgotPassword', { email: zephyrine.email })).status).toBe(200);
    const [mail] = await readOutbox(service);
    expect(mail).toMatchObject({ kind: 'passwordReset', to: zephyrine.email });
    const reset = await post(service, '/resetPassword', { token: mail?.token, password: 'Kiln-Orchard-77' });
    expect(reset.status).toBe(200);
    expect((await signInByPassword(service, zephyrine.email, 'Kiln-Orchard-77')).userId).not.toBe(userId);
  });

  it('restores nobody by the link alone: it needs the password, or a code that the link mails', async () => {
    await using service = await start();
    const { token } = await join(service);
    await deleteOwn(service, token);
    const link = await restoreLink(service);
    const come = (proof: object, of = link) =>
      post(service, '/v1/member/restoreOwn', { token: of, ...proof });
    const code = (answer: { body: unknown }) =>
      (answer.body as { error?: { code: string } }).error?.code ?? 'back';
    const isBack = async () => {
      const login = { email: zephyrine.email, password: zephyrine.password };
      return (await post(service, '/webauthenticate', login)).status === 200;
    };
    const codesMailed = async () =>
      (await readOutbox(service)).filter(({ kind, to }) => kind === 'mailedCode' && to === zephyrine.email);

    const clicks = await Promise.all(Array.from({ length: 5 }, () => come({})));
    expect(clicks.map(code)).toEqual(Array.from({ length: 5 }, () => 'proof_required'));
    const mailed = await codesMailed();
    expect(mailed).toHaveLength(1);
    expect(code(await come({ password: 'Wrong-Engine-1843' }))).toBe('invalid_credentials');
    expect(code(await come({ emailCode: '00000000' }))).toBe('invalid_credentials');
    expect(code(await come({ password: zephyrine.password, emailCode: '00000000' }))).toBe('invalid_input');
    expect(code(await come({}, 'x'))).toBe('invalid_token');
    expect(await isBack()).toBe(false);

    const [emailCode = ''] = /\b\d{8}\b/.exec(mailed[0]?.text ?? '') ?? [];
    expect(code(await come({ emailCode }))).toBe('back');
    expect(await isBack()).toBe(true);
  });

  it('counts wrong passwords at the link of a deletion as it does at a sign-in', async () => {
    await using service = await start();
    const { token } = await join(service);
    await deleteOwn(service, token);
    const link = await restoreLink(service);
    const codes = new Set<unknown>();
    for (let at = 0; at < 30; at += 1) {
      const wrong = { token: link, password: 'Wrong-Engine-1843' };
      const answer = await post(service, '/v1/member/restoreOwn', wrong);
      codes.add((answer.body as { error?: { code: string } }).error?.code);
    }
    expect(codes).toContain('rate_limited');
  });

  it('restores once in twenty concurrent calls, and never after the grace period', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { token } = await join(service);
    await deleteOwn(service, token);
    const link = await restoreLink(service);
    const answers = await Promise.all(Array.from({ length: 20 }, () => restoreOwn(service, link)));
    expect(answers.map((answer) => answer.status)).toEqual(Array.from({ length: 20 }, () => 200));
    const { auditLog } = service.database.tables;
    const lines = await service.database.select().from(auditLog);
    expect(lines.filter(({ action }) => action === 'member.restored')).toHaveLength(1);
    clock.nowMs += 1000;
    const again = await signInByPassword(service, zephyrine.email, zephyrine.password);
    expect((await deleteOwn(service, again.token)).status).toBe(200);
    const second = await restoreLink(service);
    clock.nowMs += 31 * DAY_MS;
    const tooLate = { status: 409, body: { error: { code: 'grace_over' } } };
    expect(await restoreOwn(service, second)).toMatchObject(tooLate);
    expect(await post(service, '/v1/member/restorationDetails', { token: second })).toMatchObject(tooLate);
    await endGrace(service.database, 31 * DAY_MS);
    expect(await memberErasure.run(service.services)).toBe(1);
    expect(await restoreOwn(service, second)).toMatchObject(tooLate);
    expect((await service.send(`/restore?${new URLSearchParams({ token: second })}`)).status).toBe(409);
  });
});

describe('after the grace period of a deletion', () => {
  it('what belongs to an unproven address stays, and so does who pays for an account', async () => {
    await using service = await start();
    const { database } = service;
    const { billingCustomers, invitations, members } = database.tables;
    const owner = await signInByPassword(service, 'owner@acme.test', password);
    const invite = { token: owner.token, headers: { accountid: '1' } };
    await service.send('/v1/invitation/create', { ...invite, body: { email: zephyrine.email, roleType: 3 } });
    const detail = { account: { value: 4 }, profile: { value: { email: zephyrine.email, name: 'Z' } } };
    const times = { createdAtMs: 1, updatedAtMs: 1 };
    await database.insert(billingCustomers, {
      provider: 'stripe',
      customerId: 'cus_1',
      accountId: 4,
      email: zephyrine.email,
      name: 'Z',
      detail,
      ...times,
    });
    const leave = async (token: string) => {
      expect((await deleteOwn(service, token)).status).toBe(200);
      await endGrace(database, 30 * DAY_MS + 1000);
      expect(await memberErasure.run(service.services)).toBe(1);
      const [customer] = await database.select().from(billingCustomers);
      const [invitation] = await database.select().from(invitations);
      return { customer, invitation };
    };
    const planted = await post(service, '/register', zephyrine);
    const kept = await leave((planted.body as { token: string }).token);
    expect(kept.customer).toMatchObject({ email: zephyrine.email, detail });
    expect(kept.invitation).toMatchObject({ email: zephyrine.email, status: 'open' });

    const real = await join(service);
    expect((await database.select().from(members)).some(({ email }) => email === zephyrine.email)).toBe(true);
    const erased = await leave(real.token);
    expect(erased.customer).toMatchObject({ accountId: 4, email: null, name: null });
    expect(erased.customer?.detail).toEqual({ account: detail.account });
    expect(erased.invitation).toMatchObject({ email: '', status: 'revoked' });
  });

  it('a dump has no personal data, audit lines and messages stay, and the address is free', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { database } = service;
    const owner = await signInByPassword(service, 'owner@acme.test', password);
    await service.send('/v1/invitation/create', {
      token: owner.token,
      headers: { accountid: '1' },
      body: { email: zephyrine.email, roleType: 3 },
    });
    const { token, userId, accountId } = await join(service);
    await post(service, '/v1/profile/update', { lastName: 'Quillfeather-Two', locale: 'de' }, token);
    await post(service, '/v1/email/change', { email: 'zephyrine@elsewhere.test' }, token);
    await post(service, '/v1/email/change', { email: zephyrine.email }, token);
    await post(service, '/webauthenticate', { email: zephyrine.email, password: 'wrong' });
    await post(service, '/forgotPassword', { email: zephyrine.email });
    const { billingCustomers, messages, socialConnections, webhookLog } = database.tables;
    const nowMs = clock.nowMs;
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    await database.insert(messages, {
      conversationId: 1,
      memberId: userId,
      body: 'hello',
      createdAtMs: nowMs,
    });
    await database.insert(billingCustomers, {
      provider: 'stripe',
      customerId: 'cus_1',
      email: zephyrine.email,
      name: 'Zephyrine Quillfeather',
      ...times,
    });
    await database.insert(socialConnections, {
      memberId: userId,
      providerId: 3,
      providerUserId: 'zephyrine-at-google',
      displayName: 'Zephyrine',
      tokenStatus: 'valid',
      ...times,
    });
    await database.insert(webhookLog, {
      provider: 'stripe',
      endpoint: '/stripe_webhooks',
      body: JSON.stringify({ customer: { email: zephyrine.email.toUpperCase(), name: 'Quillfeather' } }),
      bodyBytes: 10,
      digest: 'x',
      status: 'processed',
      address: '127.0.0.1',
      receivedAtMs: nowMs,
    });
    const personal = /zephy|quill|featherly|elsewhere\.test/gi;
    expect((await dump(service)).match(personal)?.length).toBeGreaterThan(10);
    expect((await deleteOwn(service, token)).status).toBe(200);
    await endGrace(database, 30 * DAY_MS + 1000);
    expect(await memberErasure.run(service.services)).toBe(1);
    while ((await accountErasure.run(service.services)) > 0);
    const left = await dump(service);
    expect(left.match(personal)).toBeNull();
    const { auditLog, accounts } = database.tables;
    const lines = await database.select().from(auditLog);
    expect(lines.map(({ action }) => action)).toContain('member.erased');
    expect(lines.some(({ actorId, action }) => actorId === userId && action === 'member.deleted')).toBe(true);
    const rows = await database.select().from(accounts);
    expect(rows.find(({ id }) => id === accountId)).toMatchObject({ isDeleted: true, name: '' });

    const talk = await service.send('/getMemberschatMessages?conversationId=1&memberId=3', {
      token: (await signInByPassword(service, 'owner@acme.test', password)).token,
      headers: { accountid: '1' },
    });
    const { data } = (await talk.json()) as { data: { firstName: string; lastName: string; body: string }[] };
    expect(data.at(-1)).toMatchObject({ firstName: 'Deleted', lastName: 'member', body: 'hello' });
    expect((await post(service, '/register', zephyrine)).status).toBe(200);
  });

  it('a payment event that names the member keeps what its effect needs, and other events keep everything', async () => {
    await using service = await start();
    const { database } = service;
    const { token } = await join(service);
    const { webhookLog } = database.tables;
    const { email } = zephyrine;
    const bodyWith = (address: string, name: string) => ({
      id: 'evt_1',
      type: 'customer.updated',
      created: 1_800_000_000,
      data: { object: { id: 'cus_1', email: address, name, metadata: { accountId: '7', note: name } } },
    });
    const forgotten = {
      id: 'evt_1',
      type: 'customer.updated',
      created: 1_800_000_000,
      data: { object: { id: 'cus_1', metadata: { accountId: 7 } } },
    };
    const theirs = JSON.stringify(bodyWith(email, 'Zephyrine'));
    const escaped = theirs.replace('zephyrine@', String.raw`\u007aephyrine\u0040`);
    const among = JSON.stringify(bodyWith(`Zephyrine <${email.toUpperCase()}>`, 'Zephyrine'));
    const longer = JSON.stringify(bodyWith(`an-${email}`, 'Ann'));
    const deeper = JSON.stringify(bodyWith(`${email}.example`, 'Bea'));
    const inBase64 = Buffer.from(`\0 ${email}`).toString('base64');
    const cut = `{"email":"${email}","na`;
    const rows = [
      ['received', theirs, forgotten],
      ['failed', escaped, forgotten],
      ['processed', among, forgotten],
      ['ignored', longer, undefined],
      ['failed', deeper, undefined],
      ['rejected', cut, ''],
      ['rejected', inBase64, ''],
    ] as const;
    for (const [at, [status, body]] of rows.entries())
      await database.insert(webhookLog, {
        provider: 'stripe',
        endpoint: '/stripe_webhooks',
        eventId: `evt_${at}`,
        dedupeKey: `stripe:evt_${at}`,
        body,
        bodyEncoding: body === inBase64 ? 'base64' : 'utf8',
        bodyBytes: 10,
        digest: 'x',
        status,
        dueAtMs: Date.now() + 400 * DAY_MS,
        address: '127.0.0.1',
        receivedAtMs: Date.now(),
      });
    expect((await deleteOwn(service, token)).status).toBe(200);
    await endGrace(database, 31 * DAY_MS);
    expect(await memberErasure.run(service.services)).toBe(1);
    const left = await database.select().from(webhookLog);
    for (const [at, [status, body, expected]] of rows.entries()) {
      const row = left[at];
      expect([at, row?.status]).toEqual([at, status]);
      if (typeof expected === 'object') expect(JSON.parse(row?.body ?? '')).toEqual(expected);
      else expect([at, row?.body]).toEqual([at, expected ?? body]);
    }
    expect(readStripeEvent(JSON.parse(left[1]?.body ?? ''))).toMatchObject({
      customerId: 'cus_1',
      account: { accountId: 7 },
      profile: { email: null, name: null },
    });
  });

  it('the address of a member whom staff deleted stays reserved', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { database } = service;
    const { members } = database.tables;
    await join(service);
    await database.write(database.update(members).set({ isDeleted: true, deletedAtMs: clock.nowMs }));
    await endGrace(database, 400 * DAY_MS);
    expect(await memberErasure.run(service.services)).toBe(0);
    expect((await post(service, '/register', { ...zephyrine, username: 'another' })).status).toBe(409);
  });
});

import { createApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import {
  createTestDatabase,
  developmentEnvironment,
  type RunningService,
  readOutbox,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const env = developmentEnvironment();
const start = () => startService(createApp, { dialect, application: 'web', env });

const ada = { username: 'ada', email: 'ada@lovelace.test', password: 'Analytical-Engine-1843' };

const register = (service: RunningService, fields: object) =>
  service.send('/register', { body: { ...ada, ...fields } });
const codeOf = async (response: Response) =>
  ((await response.json()) as { error?: { code: string } }).error?.code ?? response.status;

describe('registering', () => {
  it('creates a member, an account of their own, a trial and an activation mail, and signs them in', async () => {
    await using service = await start();
    const response = await register(service, {
      firstName: 'Ada',
      lastName: 'Lovelace',
      accountName: 'Engines',
    });
    expect(response.status).toBe(200);
    const { token, userId, accountId } = (await response.json()) as {
      token: string;
      userId: number;
      accountId: number;
    };

    const me = await service.send('/auth/me', { token, accountId });
    expect(await me.json()).toMatchObject({
      member: {
        id: userId,
        username: 'ada',
        email: 'ada@lovelace.test',
        sid: 'ada@lovelace.test',
        role_type: 5,
        emailVerified: false,
      },
      isPersonnel: false,
      memberships: [{ accountId, accountName: 'Engines', role: 1 }],
      currentAccount: { accountId },
    });
    const { subscriptions } = service.database.tables;
    const [trial] = (await service.database.select().from(subscriptions)).filter(
      (row) => row.accountId === accountId,
    );
    expect(trial).toMatchObject({ state: 'trialing' });
    expect((trial?.trialEndsAtMs ?? 0) - (trial?.createdAtMs ?? 0)).toBe(14 * 86_400_000);
    expect(await readOutbox(service)).toMatchObject([{ kind: 'activation', to: 'ada@lovelace.test' }]);
    expect(await signInByPassword(service, 'ADA@lovelace.test', ada.password)).toMatchObject({
      userId,
      accountId,
    });
  });

  it('refuses a name without visible characters, and one that differs from another only in invisible ones', async () => {
    await using service = await start();
    expect((await register(service, {})).status).toBe(200);
    const other = { username: 'other', email: 'other@lovelace.test' };
    for (const unseen of ['\u3164', '\u115f', '\u1160\uffa0', '\u2800', '\u{e0041}']) {
      for (const fields of [
        { username: unseen },
        { username: `ada${unseen}` },
        { firstName: unseen },
        { lastName: ` ${unseen}` },
        { accountName: unseen },
        { email: `ada${unseen}@lovelace.test` },
      ]) {
        const code = await codeOf(await register(service, { ...other, ...fields }));
        expect([fields, code]).toEqual([fields, 'invalid_input']);
      }
    }
    expect(await codeOf(await register(service, { ...other, username: 'ada\ufe0f' }))).toBe('username_taken');
    expect((await register(service, { ...other, firstName: 'Zo\u200cë ❤\ufe0f' })).status).toBe(200);
  });

  it('stores nothing when the username or the address is taken, and says which', async () => {
    await using service = await start();
    expect((await register(service, {})).status).toBe(200);
    const lookAlikes = ['ada', 'ADA', ' ada ', 'ａｄａ', 'adá'];
    for (const username of lookAlikes) {
      expect(await codeOf(await register(service, { username, email: 'other@lovelace.test' }))).toBe(
        'username_taken',
      );
    }
    for (const email of [
      'ada@lovelace.test',
      'ADA@LOVELACE.TEST',
      'ａda@lovelace.test',
      ' ada@lovelace.test ',
      'ada＠lovelace.test',
    ]) {
      expect(await codeOf(await register(service, { username: 'other', email }))).toBe('email_taken');
    }
    expect(await findCredential(service.database, 'other@lovelace.test')).toBeUndefined();
    expect((await register(service, { username: 'other', email: 'adá@lovelace.test' })).status).toBe(200);
    expect(await readOutbox(service)).toHaveLength(2);
  });

  it('is refused, as documented, when the member is deleted before they are signed in', async () => {
    await using own = await createTestDatabase(dialect);
    const removingAda: Database['transaction'] = async (body) => {
      const found = await findCredential(own.database, ada.email);
      if (found) {
        await changeAccess(own.database, { members: [found.id] }, (tx) =>
          removeMember(tx, { memberId: found.id, nowMs: 1 }),
        );
      }
      return own.database.transaction(body);
    };
    const database = { ...own.database, transaction: removingAda };
    await using service = await startService(createApp, { dialect, application: 'web', env, database });
    const response = await register(service, {});
    expect([response.status, await codeOf(response)]).toEqual([401, 'invalid_credentials']);
    const document: unknown = await (await service.send('/openapi.json?tag=compatibility')).json();
    expect(document).toMatchObject({
      paths: { '/register': { post: { responses: { [response.status]: expect.anything() } } } },
    });
  });

  it('refuses guessable, short and long passwords with the reason at their field', async () => {
    await using service = await start();
    const passwords = [
      'short',
      'password1234',
      'x'.repeat(73),
      'é'.repeat(37),
      'ada@lovelace.test',
      'gatehouse',
      'aaaaaaaaaaaa',
    ];
    for (const password of passwords) {
      const response = await register(service, { password });
      expect([password, response.status]).toEqual([password, 400]);
      expect(await response.json()).toMatchObject({
        error: { code: 'invalid_input', issues: [{ path: 'password' }] },
      });
    }
    const username = 'countess-of-lovelace';
    expect((await register(service, { username, password: username })).status).toBe(400);
    expect(await findCredential(service.database, ada.email)).toBeUndefined();
  });

  it('lets no field of the body decide what only the service decides', async () => {
    await using service = await start();
    const forbidden = {
      id: 3,
      role_type: 0,
      roleType: 0,
      isPersonnel: true,
      isDeleted: true,
      emailConfirmedAtMs: 1,
      emailVerified: true,
      createdByPartnerId: 1,
      sid: 'owner@acme.test',
      defaultPaymentId: 9,
    };
    const { userId } = (await (await register(service, forbidden)).json()) as { userId: number };
    expect(userId).toBeGreaterThan(11);
    expect(await findCredential(service.database, ada.email)).toMatchObject({
      id: userId,
      sid: ada.email,
      roleType: 5,
      isPersonnel: false,
      isDeleted: false,
      emailConfirmedAtMs: null,
      defaultPaymentId: 2,
    });
  });

  it('refuses what could break out of a mail header, a log line or the database', async () => {
    await using service = await start();
    const cases = [
      { email: 'ada@lovelace.test\r\nBcc: all@world.test' },
      { email: 'ada@lovelace.test\nSubject: x' },
      { email: 'a@b' },
      { email: 'ada' },
      { username: 'a\u0000b' },
      { username: '\ud800' },
      { username: '' },
      { username: 'x'.repeat(200) },
      { firstName: 'a\nb' },
      { accountName: 'x'.repeat(101) },
      { email: ['ada@lovelace.test'] },
      { password: {} },
    ];
    for (const fields of cases) {
      expect([fields, (await register(service, fields)).status]).toEqual([fields, 400]);
    }
    const address = { username: "Robert'); DROP TABLE members;--", firstName: '<b>Ada</b>', lastName: '%_' };
    expect((await register(service, address)).status).toBe(200);
    const stored = await findCredential(service.database, ada.email);
    expect(stored).toMatchObject(address);
  });

  it('treats a form’s empty optional fields as absent', async () => {
    await using service = await start();
    expect((await register(service, { firstName: '', lastName: '', accountName: '' })).status).toBe(200);
  });

  it('keeps the address of a deleted member reserved', async () => {
    await using service = await start();
    const { database } = service;
    const { members } = database.tables;
    await register(service, {});
    await database.write(database.update(members).set({ isDeleted: true }));
    expect(await codeOf(await register(service, { username: 'ada2' }))).toBe('email_taken');
  });

  it('succeeds once in fifty concurrent attempts, and in fifty with look-alike names', {
    timeout: 60_000,
  }, async () => {
    await using one = await start();
    await using other = await startService(createApp, {
      dialect,
      application: 'web',
      env,
      database: one.database,
    });
    const many = 50;
    const spellings = ['grace', 'Grace', 'GRACE', 'ｇｒａｃｅ', 'grâce', ' grace'];
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        register(index % 2 === 0 ? one : other, {
          username: spellings[index % spellings.length],
          email: `grace${index}@hopper.test`,
        }),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(many - 1);

    const addresses = ['jean@hopper.test', 'JEAN@hopper.test', 'ｊean@hopper.test'];
    const again = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        register(index % 2 === 0 ? one : other, {
          username: `jean${index}`,
          email: addresses[index % addresses.length],
        }),
      ),
    );
    expect(again.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(again.filter(({ status }) => status === 409)).toHaveLength(many - 1);

    const { accounts, memberships, mailOutbox, subscriptions } = one.database.tables;
    for (const [table, seeded] of [
      [accounts, 3],
      [subscriptions, 3],
    ] as const) {
      expect(await one.database.select().from(table)).toHaveLength(seeded + 2);
    }
    expect((await one.database.select().from(memberships)).filter((row) => row.accountId > 3)).toHaveLength(
      2,
    );
    expect(await one.database.select().from(mailOutbox)).toHaveLength(2);
  });
});

import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import {
  createTestDatabase,
  developmentEnvironment,
  type RunningService,
  readOutbox,
  seedTestDatabase,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { mailRetention } from '../mail/mail-retention.js';
import { queueMail } from '../mail/queue-mail.js';

const dialect = inject('dialect');
const env = { ...developmentEnvironment(), TRUSTED_PROXIES: '127.0.0.1' };

const start = (options: { now?: () => number } = {}) =>
  startService(createApp, { dialect, application: 'web', env, ...options });

const root = 'root@gatehouse.test';

const ask = (service: RunningService, email: unknown, address = '10.0.0.9') =>
  service.send('/Adminsignin', { body: { email }, headers: { 'x-forwarded-for': address } });

const enter = (service: RunningService, email: unknown, password: unknown, address = '10.0.0.1') =>
  service.send('/Adminlogin', { body: { email, password }, headers: { 'x-forwarded-for': address } });

async function codeFor(service: RunningService, email: string, address?: string): Promise<string> {
  expect((await ask(service, email, address)).status).toBe(200);
  return newestCode(service);
}

async function newestCode(service: RunningService): Promise<string> {
  const [mail] = await readOutbox(service);
  expect(mail?.kind).toBe('oneTimePassword');
  return /^ {4}([0-9a-f]{6})$/m.exec(mail?.text ?? '')?.[1] ?? '';
}

/** A one-time password that is wrong. */
const wrong = (code: string, step = 1) =>
  ((Number.parseInt(code, 16) + step) % 2 ** 24).toString(16).padStart(6, '0');

describe('a one-time password', () => {
  it('signs an administrator in, once, in upper or lower case', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    const response = await enter(service, 'ROOT@gatehouse.test', code.toUpperCase());
    const body = (await response.json()) as { token: string };
    expect([response.status, body]).toMatchObject([200, { status: true, userId: 1, role: 0, accountId: 1 }]);
    expect((await service.send('/auth/me', { token: body.token })).status).toBe(200);
    expect((await enter(service, root, code)).status).toBe(401);
  });

  it('is accepted with spaces, invisible characters, and digits of any script', async () => {
    const wide = (code: string) =>
      code.replace(/[0-9a-f]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0xfee0));
    const arabic = (code: string) =>
      code.replace(/[0-9]/g, (digit) => String.fromCodePoint(0x660 + Number(digit)));
    let now = Date.now();
    await using service = await start({ now: () => now });
    for (const typed of [
      (code: string) => ` ${code}\u00a0\n`,
      (code: string) => `${code.slice(0, 3)} ${code.slice(3)}\u200b`,
      wide,
      arabic,
    ]) {
      const code = await codeFor(service, root);
      expect([typed(code), (await enter(service, root, typed(code))).status]).toEqual([typed(code), 200]);
      now += 61_000;
    }
  });

  it('is named as the wrong field when it is refused', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    const response = await enter(service, root, wrong(code));
    expect(await response.json()).toMatchObject({
      message: 'The email or the one-time password is wrong.',
      error: { code: 'invalid_credentials' },
    });
  });

  it('is mailed only to roles 0 and 1 and to staff, with the same answer for everybody', async () => {
    await using service = await start();
    const { database } = service;
    await changeAccess(database, { members: [9] }, (tx) => removeMember(tx, { memberId: 9, nowMs: 1 }));
    const everybody = [
      root,
      'staff@gatehouse.test',
      'owner@acme.test',
      'owner@cedar.test',
      'manager@acme.test',
      'contributor@acme.test',
      'designer@acme.test',
      'member@acme.test',
      'archived@acme.test',
      'nobody@acme.test',
      '%',
    ];
    const bodies = [];
    for (const email of everybody) {
      const response = await ask(service, email);
      bodies.push(`${response.status} ${JSON.stringify(await response.json())}`);
    }
    expect(new Set(bodies).size).toBe(1);
    const mails = await readOutbox(service);
    expect(mails.map(({ to }) => to).toSorted()).toEqual(['owner@acme.test', root, 'staff@gatehouse.test']);
  });

  it('is never matched by a value of another type', async () => {
    await using service = await start();
    await codeFor(service, root);
    for (const password of [0, null, [], {}, true, false, '', [''], { $ne: '' }]) {
      expect([password, (await enter(service, root, password)).status]).toEqual([password, 400]);
    }
    for (const password of ['0', 'null', 'true', '000000000000', ' ', '%', 'undefined', '[object Object]']) {
      expect([password, (await enter(service, root, password, '10.0.0.2')).status]).toEqual([password, 401]);
    }
    for (const email of [null, 0, [], {}, true, '']) expect((await ask(service, email)).status).toBe(400);
  });

  it('stays valid when a newer one is mailed, and a request within sixty seconds makes no new one', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const first = await codeFor(service, root);
    now += 59_000;
    await Promise.all([ask(service, root), ask(service, root), ask(service, root)]);
    expect(await readOutbox(service)).toHaveLength(1);
    now += 2_000;
    await Promise.all(Array.from({ length: 10 }, () => ask(service, root)));
    expect(await readOutbox(service)).toHaveLength(2);
    const second = await newestCode(service);
    expect((await enter(service, root, first)).status).toBe(200);
    expect((await enter(service, root, second)).status).toBe(200);
  });

  it('expires after exactly ten minutes', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const code = await codeFor(service, root);
    now += 10 * 60_000 + 1000;
    expect((await enter(service, root, code)).status).toBe(401);
    now -= 2000;
    expect((await enter(service, root, code)).status).toBe(200);
  });

  it('stays valid when its address has reached the limit of mails', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const data = { password: 'ffffff', minutes: 10 };
    for (let time = 0; time < 4; time += 1) {
      await queueMail(service.database, service.services, { kind: 'oneTimePassword', to: root, data });
    }
    const code = await codeFor(service, root);
    now += 61_000;
    expect((await ask(service, root)).status).toBe(200);
    expect((await readOutbox(service)).filter(({ to }) => to === root)).toHaveLength(5);
    expect((await enter(service, root, code)).status).toBe(200);
  });

  it('appears in clear text neither in the database nor in a log nor in a subject', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    await enter(service, root, code);
    const { mailOutbox, oneTimePasswords } = service.database.tables;
    const rows = [
      await service.database.select().from(mailOutbox),
      await service.database.select().from(oneTimePasswords),
    ];
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(service.logLines.join('\n')).not.toContain(code);
    expect((await readOutbox(service))[0]?.subject).not.toContain(code);
  });

  it('gives access to the applications that the role may enter', async () => {
    await using service = await start();
    const code = await codeFor(service, 'owner@acme.test');
    const enterAdmin = await service.send('/Adminlogin', {
      body: { email: 'owner@acme.test', password: code },
      headers: { apptype: Buffer.from('admin').toString('base64') },
    });
    expect([enterAdmin.status, await enterAdmin.json()]).toMatchObject([
      403,
      { error: { code: 'role_not_allowed' } },
    ]);
    expect((await enter(service, 'owner@acme.test', code)).status).toBe(200);
  });
});

describe('stored one-time passwords', () => {
  it('are deleted an hour after they expired, for members and for unknown names', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const { oneTimePasswords } = service.database.tables;
    for (const email of [root, 'nobody@acme.test', 'nobody@acme.test', 'member@acme.test'])
      await ask(service, email);
    expect(await service.database.select().from(oneTimePasswords)).toHaveLength(3);
    expect(await mailRetention.run(service.services)).toBe(0);
    now += 70 * 60_000 + 1000;
    await mailRetention.run(service.services);
    expect(await service.database.select().from(oneTimePasswords)).toEqual([]);
    expect((await enter(service, root, await codeFor(service, root))).status).toBe(200);
  });
});

describe('the attempts at a one-time password', () => {
  it('are limited to five from one address, after which even the right one is refused', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    for (let time = 1; time <= 5; time += 1) {
      expect((await enter(service, root, wrong(code, time))).status).toBe(401);
    }
    const late = await enter(service, root, code);
    expect([late.status, await late.json()]).toMatchObject([401, { error: { code: 'invalid_credentials' } }]);
    expect((await enter(service, root, code, '10.0.0.2')).status).toBe(200);
  });

  it('share one limit for all addresses of an IPv6 network', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    for (let time = 1; time <= 5; time += 1)
      await enter(service, root, wrong(code, time), `2001:db8:1:2::${time}`);
    expect((await enter(service, root, code, '2001:db8:1:2:ffff::1')).status).toBe(401);
    expect((await enter(service, root, code, '2001:db8:1:3::1')).status).toBe(200);
  });

  it('are not multiplied by spellings of the login name', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    for (const spelling of [
      'ROOT@gatehouse.test',
      ' root@gatehouse.test',
      'ｒoot@gatehouse.test',
      root,
      root,
    ]) {
      await enter(service, spelling, wrong(code));
    }
    expect((await enter(service, root, code)).status).toBe(401);
  });

  it('are limited to fifty for one code in a concurrent burst, after which the right one is refused too', async () => {
    await using service = await start();
    const code = await codeFor(service, root);
    const burst = Array.from({ length: 60 }, (_, index) =>
      enter(service, root, wrong(code, index + 1), `10.1.${index}.1`),
    );
    expect((await Promise.all(burst)).every(({ status }) => status === 401)).toBe(true);
    const { oneTimePasswords } = service.database.tables;
    const [row] = (await service.database.select().from(oneTimePasswords)).filter(
      ({ memberId }) => memberId === 1,
    );
    expect(row?.attempts).toBe(50);
    expect((await enter(service, root, code, '10.2.0.1')).status).toBe(401);
  });

  it('are limited to two hundred a day for one member, for any number of codes', async () => {
    let now = Date.now();
    await using service = await start({ now: () => now });
    const { limits } = service.database.tables;
    let code = await codeFor(service, root);
    await enter(service, root, wrong(code));
    const isDaily = ({ key }: { key: string }) => key === 'one-time-password:1:day:';
    const [daily] = (await service.database.select().from(limits)).filter(isDaily);
    expect(daily?.points).toBe(1);
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          enter(service, root, wrong(code, index + 1), `10.${round}.${index}.1`),
        ),
      );
      now += 61_000;
      code = await codeFor(service, root);
    }
    const [full] = (await service.database.select().from(limits)).filter(isDaily);
    expect(full?.points).toBe(200);
    expect((await enter(service, root, code, '10.9.9.9')).status).toBe(401);
    now += 86_400_000;
    expect((await enter(service, root, await codeFor(service, root), '10.9.9.9')).status).toBe(200);
  });
});

it('of an address where the owner recently signed in are counted separately', async () => {
  let now = Date.now();
  await using service = await start({ now: () => now });
  const home = '10.7.7.7';
  expect((await enter(service, root, await codeFor(service, root), home)).status).toBe(200);
  for (let round = 0; round < 4; round += 1) {
    now += 61_000;
    const code = await codeFor(service, root);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        enter(service, root, wrong(code, index + 1), `10.${round}.${index}.1`),
      ),
    );
  }
  now += 61_000;
  const code = await codeFor(service, root, home);
  expect((await enter(service, root, code, '10.8.8.8')).status).toBe(401);
  expect((await enter(service, root, code, home)).status).toBe(200);
});

describe('fifty concurrent submissions of the right one-time password', () => {
  it('make one session, from one address and from fifty, on two nodes', async () => {
    await using world = await createTestDatabase(dialect);
    await seedTestDatabase(world.database);
    await using one = await startService(createApp, {
      dialect,
      application: 'web',
      env,
      database: world.database,
    });
    await using two = await startService(createApp, {
      dialect,
      application: 'web',
      env,
      database: world.database,
    });
    for (const [email, addressOf] of [
      [root, () => '10.0.0.1'],
      ['staff@gatehouse.test', (index: number) => `10.0.${index}.1`],
    ] as const) {
      const code = await codeFor(one, email);
      const answers = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          enter(index % 2 === 0 ? one : two, email, code, addressOf(index)),
        ),
      );
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(49);
    }
    const { sessions } = world.database.tables;
    expect(await world.database.select().from(sessions)).toHaveLength(2);
  });
});

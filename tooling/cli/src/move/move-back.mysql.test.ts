import { readFile, stat, writeFile } from 'node:fs/promises';
import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, verifyPassword } from '@gatehouse/auth-core';
import { changeColumn } from '@gatehouse/features/test/change-column';
import {
  blockOf,
  type RunningService,
  signInByPassword,
  startService,
  type TestDialect,
} from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';

const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

const PASSWORD = 'Set-Since-The-Switch-1';

async function startMoved(dialect: TestDialect, count = 60, changes: readonly string[] = []) {
  const world = await startMoveWorld(dialect, count);
  for (const sql of changes) await world.old.run(sql);
  await world.run('plan');
  await world.run('run', '--map', 'move-map.yaml');
  return world;
}

/** Registers somebody, and signs them in. */
async function joinAs(service: RunningService, body: { email: string; username: string; password: string }) {
  expect((await service.send('/register', { body })).status).toBe(200);
  return signInByPassword(service, body.email, body.password);
}

let scripts = 0;

/** The statements that move changes back, without the surrounding ones, and the messages about them. */
async function takeBack({ folder, run }: MoveWorld, since: string) {
  scripts += 1;
  const name = `back-${scripts}.sql`;
  const { code, said } = await run('back', '--map', 'move-map.yaml', '--since', since, '--to', name);
  const path = `${folder}/${name}`;
  const lines = (await readFile(path, 'utf8')).trimEnd().split('\n');
  return { code, said, path, lines, statements: lines.slice(3, -1) };
}

async function rowsOf({ old }: MoveWorld, sql: string) {
  return (await old.run(sql)) as Record<string, unknown>[];
}

/** Runs a script as an operator does, a statement a line. */
async function apply({ old }: MoveWorld, lines: readonly string[]): Promise<void> {
  for (const line of lines) await old.run(line);
}

describe.each(DIALECTS)('changes moved back from %s', { timeout: 120_000 }, (dialect) => {
  it('are none after a move, whatever the old rows contain', async () => {
    await using mover = await startMoved(dialect, 1000);
    const { lines, statements, code, path } = await takeBack(mover, new Date().toISOString());
    expect(statements).toEqual([]);
    expect([lines[2], lines.at(-1), code]).toEqual(['START TRANSACTION;', 'COMMIT;', 0]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('are new people and their passwords, names, roles, content and removals, so that the old system has them', async () => {
    await using mover = await startMoved(dialect);
    const { database: db } = mover;
    const since = new Date().toISOString();
    await using service = await startService(createApp, { dialect, application: 'web', database: db });
    const body = { email: 'since@new.test', username: "O'Since \\ 🌊", password: PASSWORD };
    expect((await service.send('/register', { body })).status).toBe(200);
    const fifth = await signInByPassword(service, 'm5@old.test', 'Known-Before-1');
    const changed = await service.send('/v1/password/change', {
      token: fifth.token,
      body: { currentPassword: 'Known-Before-1', newPassword: PASSWORD },
    });
    expect(changed.status).toBe(200);
    const { token } = await signInByPassword(service, 'm1@old.test', 'Known-Before-1');
    const own = { token, accountId: 1 };
    expect((await service.send('/RemoveSubject', { ...own, body: { subjectId: 3 } })).status).toBe(200);
    await db.insert(db.tables.messages, {
      conversationId: 8,
      memberId: 5,
      body: "It's late;\n-- DROP TABLE",
      createdAtMs: Date.now(),
    });
    const disconnected = await service.send('/v1/social/remove', {
      token: (await signInByPassword(service, 'm6@old.test', 'Known-Before-1')).token,
      body: { connectionId: 3 },
    });
    expect(disconnected.status).toBe(200);

    const { lines, statements, said, code } = await takeBack(mover, since);
    expect([code, said.filter((line) => !/^\w+: \d|rows/.test(line))]).toEqual([0, []]);
    expect(statements.join('\n')).not.toContain(PASSWORD);
    await apply(mover, lines);

    const [joined] = await rowsOf(mover, "select * from members where sid = 'since@new.test'");
    expect(joined).toMatchObject({ username: body.username, isDeleted: 0 });
    expect(await verifyPassword(PASSWORD, String(joined?.['password']))).toBe(true);
    expect(
      await rowsOf(mover, `select roleType from account_members where memberId = ${joined?.['id']}`),
    ).toEqual([{ roleType: 1 }]);
    const [known] = await rowsOf(mover, 'select password, username from members where id = 5');
    expect(await verifyPassword(PASSWORD, String(known?.['password']))).toBe(true);
    expect(await rowsOf(mover, 'select id, isDeleted from subjects')).toEqual([
      { id: 3, isDeleted: 1 },
      { id: 4, isDeleted: 1 },
    ]);
    expect(await rowsOf(mover, 'select message from messages where id > 22')).toEqual([
      { message: "It's late;\n-- DROP TABLE" },
    ]);
    expect(await rowsOf(mover, 'select memberId from social_connections where provider_Id = 4')).toEqual([]);

    const again = await takeBack(mover, since);
    expect([again.statements, again.code, again.said.filter((line) => !/^\w+: \d|rows/.test(line))]).toEqual([
      [],
      0,
      [],
    ]);
  });

  it('leave out a row that changed there since it was moved, and say so', async () => {
    await using mover = await startMoved(dialect);
    const since = new Date().toISOString();
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      database: mover.database,
    });
    const { token } = await signInByPassword(service, 'm1@old.test', 'Known-Before-1');
    expect(
      (await service.send('/RemoveSubject', { token, accountId: 1, body: { subjectId: 3 } })).status,
    ).toBe(200);
    await mover.old.run("update subjects set name = 'Renamed there' where id = 3");
    const { code, said, statements } = await takeBack(mover, since);
    expect([code, statements]).toEqual([1, []]);
    expect(said).toContain('subject 3: changed here, and there since it came: nothing of it goes back');
  });

  it('give nobody the rows of another person who has their number there, and say so', async () => {
    await using mover = await startMoved(dialect);
    const since = new Date().toISOString();
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      database: mover.database,
    });
    const body = { email: 'since@new.test', username: 'Since', password: PASSWORD };
    const { userId } = await joinAs(service, body);
    await mover.old.insert('members', [
      { id: userId, sid: 'other@old.test', username: 'Other', role_type: 5 },
    ]);
    const { code, said, statements } = await takeBack(mover, since);
    expect(code).toBe(1);
    expect(said).toContain(
      `member ${userId}: there is another one of this number there: it does not go back`,
    );
    expect(said.filter((line) => line.includes(`because member ${userId} does not go back`))).not.toEqual([]);
    expect(statements.join('\n')).not.toMatch(new RegExp(`\\b${userId}\\b`));
  });

  it('leave out what the old columns cannot store, and say which row and column, so that the script runs completely', async () => {
    await using mover = await startMoved(dialect);
    const { old, database: db } = mover;
    for (const sql of [
      'alter table members add tenantId int not null',
      'alter table members alter tenantId drop default',
      'alter table members modify username varchar(400) character set utf8mb3',
      'alter table subjects modify name varchar(255) character set latin1',
      'alter table conversations modify title varchar(12)',
    ])
      await old.run(sql);
    const since = new Date().toISOString();
    await using service = await startService(createApp, { dialect, application: 'web', database: db });
    const { userId } = await joinAs(service, { email: 'new@new.test', username: 'New', password: PASSWORD });
    for (const [column, value] of Object.entries({ username: 'Sea 🌊', first_name: 'Sea 🌊', role_type: 4 }))
      await changeColumn(db, { table: 'members', column, id: 5 }, value);
    await changeColumn(db, { table: 'subjects', column: 'name', id: 3 }, 'Łódź');
    await changeColumn(db, { table: 'subjects', column: 'name', id: 4 }, 'Straße');
    await changeColumn(db, { table: 'conversations', column: 'title', id: 8 }, 'A title of many letters');
    await changeColumn(db, { table: 'conversations', column: 'title', id: 9 }, '🌊'.repeat(12));

    const { code, said, lines } = await takeBack(mover, since);
    expect(code).toBe(1);
    const wanted = 'members.tenantId takes no NULL and has no default';
    expect(said.filter((line) => line.startsWith(wanted))).toHaveLength(1);
    expect(said.filter((line) => /^\S+ \S+: /.test(line) && !/^\w+: \d/.test(line))).toEqual(
      expect.arrayContaining([
        `member ${userId}: members.tenantId needs a value: it does not go back`,
        expect.stringMatching(`left out, because member ${userId} does not go back`),
        'member 5: members.username takes only characters of utf8mb3, without emojis and rare letters: it keeps its old value there',
        'subject 3: subjects.name takes only characters of latin1: it keeps its old value there',
        'conversation 8: conversations.title takes at most 12 characters: it keeps its old value there',
      ]),
    );
    await apply(mover, lines);
    expect(await rowsOf(mover, `select id from members where id = ${userId}`)).toEqual([]);
    expect(
      await rowsOf(mover, 'select username, firstName, role_type, role from members where id = 5'),
    ).toEqual([{ username: 'Member 5', firstName: 'Sea 🌊', role_type: 4, role: 'Designer' }]);
    expect(await rowsOf(mover, 'select name from subjects')).toEqual([
      { name: 'Holidays' },
      { name: 'Straße' },
    ]);
    expect(await rowsOf(mover, 'select title from conversations')).toEqual([
      { title: 'Where to?' },
      { title: '🌊'.repeat(12) },
    ]);

    const path = `${mover.folder}/move-map.yaml`;
    const map = await readFile(path, 'utf8');
    const [fill = ''] = /fill: \{.+?\}/.exec(blockOf('docs/moving.md', 'tenantId: 1')) ?? [];
    await writeFile(path, map.replace('fill: {}', fill));
    const filled = await takeBack(mover, since);
    await apply(mover, filled.lines);
    expect(await rowsOf(mover, `select tenantId, role from members where id = ${userId}`)).toEqual([
      { tenantId: 1, role: 'User Member' },
    ]);
  });

  it('leave out what the old database treats as equal to another value, or stores differently', async () => {
    await using mover = await startMoved(dialect, 60, [
      'alter table members modify username varchar(400) collate utf8mb4_general_ci',
      'alter table members add tenant int not null default 1, add unique (username, tenant)',
      "update members set username = 'Moon 🌊' where id = 7",
      'alter table subjects modify isDeleted varchar(1) not null',
      "alter table subjects modify isDeleted enum('0','1') not null",
      'alter table accounts modify id tinyint unsigned auto_increment',
      "alter table conversations drop title, add title varchar(60) as (concat('Talk ', accountId))",
    ]);
    const { database: db } = mover;
    const since = new Date().toISOString();
    await using service = await startService(createApp, { dialect, application: 'web', database: db });
    const [first, second, third] = await Promise.all(
      ['Sun 🌊', 'Sun 🔥', 'Moon 🔥'].map((username, n) =>
        joinAs(service, { email: `new${n}@new.test`, username, password: PASSWORD }),
      ),
    );
    await changeColumn(db, { table: 'members', column: 'username', id: 5 }, 'MEMBER 5');
    await changeColumn(db, { table: 'members', column: 'username', id: 6 }, 'Moon 🌧');
    await changeColumn(db, { table: 'members', column: 'first_name', id: 6 }, 'Still goes');
    await changeColumn(db, { table: 'conversations', column: 'title', id: 8 }, 'Renamed');
    await changeColumn(db, { table: 'subjects', column: 'is_deleted', id: 3 }, 1);
    const { code, said, lines } = await takeBack(mover, since);
    expect(code).toBe(1);
    const left = [first, second, third].filter((one) =>
      said.some((line) => line.startsWith(`member ${one?.userId}: members.username has to be unique`)),
    );
    expect(left).toHaveLength(2);
    expect(left).toContain(third);
    expect(said).toContain(
      'member 6: members.username has to be unique there, and another row has this value: it keeps its old value there',
    );
    expect(said).toContain(
      'conversation 8: conversations.title is computed by the database there: it keeps its old value there',
    );
    await apply(mover, lines);
    expect(await rowsOf(mover, 'select username, firstName from members where id in (5, 6)')).toEqual([
      { username: 'MEMBER 5', firstName: expect.anything() },
      { username: 'Member 6', firstName: 'Still goes' },
    ]);
    expect(await rowsOf(mover, 'select isDeleted from subjects where id = 3')).toEqual([{ isDeleted: '1' }]);
  });

  it('use the default of a NOT NULL column for what is empty here, and do not differ from it afterwards', async () => {
    await using mover = await startMoved(dialect, 60, [
      "alter table subscriptions modify customerId varchar(255) not null default ''",
      'alter table subscriptions modify trialEnd timestamp not null default current_timestamp',
      'alter table subscriptions modify subscriptionId varchar(255) not null',
      "alter table subscriptions add plan enum('small','big') not null",
    ]);
    const since = new Date().toISOString();
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      database: mover.database,
    });
    await joinAs(service, { email: 'new@new.test', username: 'New', password: PASSWORD });
    for (const column of ['provider_customer_id', 'trial_ends_at_ms'])
      await changeColumn(mover.database, { table: 'subscriptions', column, by: 'account_id', id: 5 }, null);
    const { said, code } = await takeBack(mover, since);
    expect([
      code,
      said.filter((line) => line.startsWith('subscription') && !line.includes('to add')),
    ]).toEqual([
      1,
      [
        expect.stringMatching(/^subscriptions.plan takes no NULL and has no default/),
        'subscription 5: subscriptions.trialEnd takes no NULL, and there is no value for it here: give one under fill in the map: it keeps its old value there',
        'subscription 7: subscriptions.plan needs a value; subscriptions.subscriptionId takes no NULL, and there is no value for it here: give one under fill in the map: it does not go back',
      ],
    ]);
    const path = `${mover.folder}/move-map.yaml`;
    const map = (await readFile(path, 'utf8')).replace(
      /(table: subscriptions[\s\S]*?values:\n)([\s\S]*?)fill: \{\}/,
      `$1      providerCustomerId: { '': null }
      providerSubscriptionId: { '': null }
$2fill: { plan: big, trialEnd: '2037-01-01 00:00:00' }`,
    );
    await writeFile(path, map);
    const filled = await takeBack(mover, since);
    expect(filled.code).toBe(0);
    await apply(mover, filled.lines);
    expect(
      await rowsOf(
        mover,
        'select plan, customerId, subscriptionId from subscriptions where accountId in (5, 7) order by accountId',
      ),
    ).toEqual([
      { plan: 'small', customerId: '', subscriptionId: 'sub_5' },
      { plan: 'big', customerId: '', subscriptionId: '' },
    ]);
    const again = await takeBack(mover, since);
    expect([again.code, again.statements]).toEqual([0, []]);
  });

  it.each([null, '', 'no JSON', '{"bank":"x"}'])(
    'include a field of the JSON in a column that contains %j',
    async (held) => {
      await using mover = await startMoved(dialect, 6, ['alter table affiliates add details varchar(200)']);
      await mover.old.run('update affiliates set details = ?', [held]);
      const path = `${mover.folder}/move-map.yaml`;
      const map = await readFile(path, 'utf8');
      await writeFile(path, map.replace('payoutEmail: null', 'payoutEmail: details.paypal'));
      const place = { table: 'affiliates', by: 'member_id', id: 5 };
      const change = (address: string) =>
        changeColumn(mover.database, { ...place, column: 'payout_email' }, address);
      await change(`${'p'.repeat(190)}@new.test`);
      const long = await takeBack(mover, new Date().toISOString());
      expect([long.code, long.statements]).toEqual([1, []]);
      expect(long.said).toContain(
        'affiliate 1: affiliates.details.paypal takes at most 200 characters: it keeps its old value there',
      );
      await change('pay@new.test');
      const { code, lines } = await takeBack(mover, new Date().toISOString());
      await apply(mover, lines);
      const [row] = await rowsOf(mover, 'select details from affiliates');
      const kept = held?.startsWith('{') === true ? { bank: 'x' } : {};
      expect([code, JSON.parse(String(row?.['details']))]).toEqual([0, { ...kept, paypal: 'pay@new.test' }]);
    },
  );

  it('remove the password and the names of erased people', async () => {
    await using mover = await startMoved(dialect);
    const since = new Date().toISOString();
    const { database: db } = mover;
    for (const [column, value] of Object.entries({
      is_deleted: 1,
      erased_at_ms: Date.now(),
      has_password: 0,
    }))
      await changeColumn(db, { table: 'members', column, id: 5 }, value);
    await changeColumn(db, { table: 'members', column: 'first_name', id: 5 }, 'Deleted');
    await changeColumn(db, { table: 'members', column: 'password', id: 5 }, dummyHash);
    const { lines } = await takeBack(mover, since);
    await apply(mover, lines);
    const [erased] = await rowsOf(mover, 'select * from members where id = 5');
    expect(erased).toMatchObject({
      isDeleted: 1,
      firstName: 'Deleted',
      password: expect.stringMatching(/^!.{43}$/),
    });
  });

  it('require the moment of the switch, and a file that does not exist yet', async () => {
    await using mover = await startMoved(dialect, 6);
    expect((await mover.run('back', '--map', 'move-map.yaml')).code).toBe(2);
    for (const since of ['yesterday', '2026-11-29', '2999-01-01T00:00:00Z'])
      await expect(mover.run('back', '--map', 'move-map.yaml', '--since', since)).rejects.toThrow(
        '--since must be',
      );
    const now = new Date().toISOString();
    await mover.run('back', '--map', 'move-map.yaml', '--since', now);
    await expect(mover.run('back', '--map', 'move-map.yaml', '--since', now)).rejects.toThrow(
      'move-back.sql is there already',
    );
  });
});

import { readFile, stat } from 'node:fs/promises';
import { createApp } from '@gatehouse/api-main/app';
import { dummyHash, verifyPassword } from '@gatehouse/auth-core';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { type RunningService, signInByPassword, startService, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';

const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

const PASSWORD = 'Set-Since-The-Switch-1';

async function startMoved(dialect: TestDialect, count = 60) {
  const world = await startMoveWorld(dialect, count);
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

/** The statements that take changes back, without those around them, and what was said of them. */
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

describe.each(DIALECTS)('changes in %s that go back', { timeout: 120_000 }, (dialect) => {
  it('are none after a move, whatever the old rows were like', async () => {
    await using mover = await startMoved(dialect, 1000);
    const { lines, statements, code, path } = await takeBack(mover, new Date().toISOString());
    expect(statements).toEqual([]);
    expect([lines[2], lines.at(-1), code]).toEqual(['START TRANSACTION;', 'COMMIT;', 0]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('are new people and their passwords, names, roles, content, and what was removed, so that the old system has them', async () => {
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

  it('leave out a row that changed there since it came, and say so', async () => {
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

  it('give nobody the rows of somebody else who has their number there, and say so', async () => {
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

  it('end the password and the names of erased people', async () => {
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

  it('need the moment of the switch, and a file that is not there yet', async () => {
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

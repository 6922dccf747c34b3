import type { Database } from '@gatehouse/db/database';
import { DatabaseUnavailableError } from '@gatehouse/db/database-errors';
import { createTestDatabase, seedTestDatabase } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { startImpersonationWorld } from '../test/impersonation-world.js';

/** The fault of the database: the line of a call cannot be written, or everything after it fails. */
interface Trouble {
  isWithoutLines: boolean;
  failsAfterLine: boolean;
  isAway: boolean;
}

/** A database whose audit log can fail, alone or together with all that follows. */
function troubled(db: Database, trouble: Trouble): Database {
  const away = () => Promise.reject(new DatabaseUnavailableError('timeout'));
  return {
    ...db,
    select: ((...args: Parameters<Database['select']>) => {
      if (trouble.isAway) throw new DatabaseUnavailableError('timeout');
      return db.select(...args);
    }) as Database['select'],
    readRows: (sql, params) => (trouble.isAway ? away() : db.readRows(sql, params)),
    transaction: (body) => (trouble.isAway ? away() : db.transaction(body)),
    async insert(table, row) {
      const isLine = Object.is(table, db.tables.auditLog);
      if (trouble.isAway || (isLine && trouble.isWithoutLines)) return away();
      const id = await db.insert(table, row);
      if (isLine && trouble.failsAfterLine) trouble.isAway = true;
      return id;
    },
  };
}

async function start() {
  const own = await createTestDatabase(inject('dialect'));
  await seedTestDatabase(own.database);
  const trouble: Trouble = { isWithoutLines: false, failsAfterLine: false, isAway: false };
  const world = await startImpersonationWorld({}, troubled(own.database, trouble));
  const lines = async () => {
    const rows = await own.database.select().from(own.database.tables.auditLog);
    return rows.filter(({ action }) => action === 'impersonation.called').map(({ subjectId }) => subjectId);
  };
  return {
    ...world,
    trouble,
    lines,
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await own[Symbol.asyncDispose]();
    },
  };
}

const query = (input: object) => encodeURIComponent(JSON.stringify(input));

/** Reads and changes over every transport, with how many calls each request makes. */
const REQUESTS: readonly (readonly [path: string, body: object | undefined, calls: readonly string[]])[] = [
  ['/auth/me', undefined, ['session.me']],
  ['/getAllMemberslist', undefined, ['member.list']],
  ['/searchAllMembers', { username: 'a' }, ['member.search']],
  ['/v1/account/listMine', undefined, ['account.listMine']],
  ['/v1/account/listMine', {}, ['account.listMine']],
  ['/trpc/session.list', undefined, ['session.list']],
  [
    `/trpc/session.me,account.listMine,session.me?batch=1&input=${query({ 0: {}, 1: {}, 2: {} })}`,
    undefined,
    ['account.listMine', 'session.me', 'session.me'],
  ],
  ['/v1/audit/listOwn', undefined, ['audit.listOwn']],
  ['/v1/member/exportOwn', undefined, ['member.exportOwn']],
  ['/v1/subject/remove', { subjectId: 4 }, ['subject.remove']],
  ['/v1/account/rename', { name: 'Renamed' }, ['account.rename']],
  ['/auth/password', { currentPassword: 'x', newPassword: 'y' }, ['password.change']],
  [
    '/trpc/subject.remove,subject.remove?batch=1',
    { 0: { subjectId: 4 }, 1: { subjectId: 5 } },
    ['subject.remove', 'subject.remove'],
  ],
];

describe('a call by staff who act for a member', () => {
  it('is an entry in the audit log, with who called, for whom and what, refused ones included', async () => {
    await using world = await start();
    const subject = await world.member({ memberships: { 2: 1 } });
    const { token, impersonationId } = await world.start(world.root, { memberId: subject.id, write: true });
    for (const [path, body, calls] of REQUESTS) {
      const before = await world.lines();
      const response = await world.main.send(path, { token, accountId: 2, ...(body ? { body } : {}) });
      expect(response.status, path).not.toBe(503);
      expect([
        path,
        (await world.lines())
          .slice(before.length)
          .toSorted((one, other) => String(one).localeCompare(String(other))),
      ]).toEqual([path, calls]);
    }
    const rows = await world.db.select().from(world.db.tables.auditLog);
    const called = rows.filter(({ action }) => action === 'impersonation.called');
    for (const row of called) {
      expect(row).toMatchObject({
        actorId: world.root.id,
        onBehalfOfId: subject.id,
        subjectKind: 'procedure',
        after: { impersonationId },
      });
      expect(row.address).toMatch(/^v1\./);
      expect(row.requestId).not.toBeNull();
    }
    expect(called.find(({ subjectId }) => subjectId === 'member.list')?.accountId).toBe(2);
    const removed = rows.filter(({ action }) => action === 'subject.removed');
    expect(removed.map(({ actorId, onBehalfOfId }) => [actorId, onBehalfOfId])).toEqual([
      [world.root.id, subject.id],
      [world.root.id, subject.id],
    ]);
    // The member sees that somebody acted for them, and not every page that was looked at.
    const events = await world.main.send('/v1/securityEvent/listMine', { token: subject.token });
    const { data } = (await events.json()) as { data: { kind: string }[] };
    expect(data.map(({ kind }) => kind)).toEqual(['impersonation.started']);
  });

  it('answers 503 and does nothing while that entry cannot be written, and slows no member', async () => {
    await using world = await start();
    const subject = await world.member({ memberships: { 2: 1 } });
    const { token } = await world.start(world.root, { memberId: subject.id, write: true });
    world.trouble.isWithoutLines = true;
    for (const [path, body] of REQUESTS) {
      const response = await world.main.send(path, { token, accountId: 2, ...(body ? { body } : {}) });
      expect([path, response.status]).toEqual([path, path.includes('batch') ? response.status : 503]);
      const text = await response.text();
      expect(text).not.toMatch(/"result"|"data":\[|@many\.test/);
      const own = await world.main.send('/auth/me', { token: subject.token, accountId: 2 });
      expect(own.status).toBe(200);
    }
    expect(await world.lines()).toEqual([]);
    const { subjects } = world.db.tables;
    const kept = (await world.db.select().from(subjects)).filter(({ id }) => id === 4 || id === 5);
    expect(kept.map(({ isDeleted }) => isDeleted)).toEqual([false, false]);
    world.trouble.isWithoutLines = false;
    expect((await world.main.send('/auth/me', { token })).status).toBe(200);
  });

  it('leaves its entry when the database fails right after it, and answers nothing', async () => {
    await using world = await start();
    const subject = await world.member({ memberships: { 2: 1 } });
    const { token } = await world.start(world.root, { memberId: subject.id, write: true });
    for (const [path, body, calls] of REQUESTS) {
      if (path.includes('batch')) continue;
      expect((await world.main.send('/auth/me', { token, accountId: 2 })).status).toBe(200);
      const before = await world.lines();
      world.trouble.failsAfterLine = true;
      const response = await world.main.send(path, { token, accountId: 2, ...(body ? { body } : {}) });
      Object.assign(world.trouble, { failsAfterLine: false, isAway: false });
      // What is refused without asking the database is refused as ever.
      const isRefused = ['account.rename', 'member.exportOwn', 'password.change'].includes(calls[0] ?? '');
      expect([path, response.status]).toEqual([path, isRefused ? 403 : 503]);
      expect([path, (await world.lines()).slice(before.length)]).toEqual([path, calls]);
    }
  });
});

import { createApp } from '@gatehouse/api-main/app';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { REASON } from '../test/impersonation-world.js';
import { startKilledService } from '../test/killed-service.js';

const dialect = inject('dialect');

/** Far beyond any statement of a test: the process dies on command. */
const NEVER = { statement: 1_000_000, when: 'before' } as const;

const OPTIONS = { timeout: 1_200_000 };

const started = z.object({ token: z.string(), impersonationId: z.number() });

async function post(url: string, path: string, token: string, body: object): Promise<Response> {
  return fetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', token, accountid: '2' },
    body: JSON.stringify(body),
  });
}

describe('an impersonation', () => {
  it(
    'that was acknowledged continues, and one whose end was acknowledged is over, when the service is killed',
    OPTIONS,
    async () => {
      await using test = await createTestDatabase(dialect);
      const { url, database } = test;
      await seedTestDatabase(database);
      const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
      await using main = await startService(createApp, { dialect, application: 'web', database });
      const alive = async (token: string) => (await main.send('/auth/me', { token })).status;
      const total = rounds({ suite: 1, stress: 20 });
      for (let round = 0; round < total; round += 1) {
        const subject = await insertTestMember(database, { memberships: { 2: 5 } });
        const begin = await startKilledService(url, NEVER, 'admin');
        const body = { memberId: subject.id, reason: REASON };
        const answer = await post(begin.url, '/v1/impersonation/start', root.token, body);
        await begin[Symbol.asyncDispose]();
        const { token, impersonationId } = started.parse(await answer.json());
        expect(await alive(token)).toBe(200);
        const finish = await startKilledService(url, NEVER, 'admin');
        const ended = await post(finish.url, '/v1/impersonation/end', root.token, { impersonationId });
        await finish[Symbol.asyncDispose]();
        expect([ended.status, await alive(token)]).toEqual([200, 401]);
      }
      printMeasurements('the end of an impersonation survives kill -9', { rounds: total, alive: 0 });
    },
  );

  it(
    'keeps the audit entry of every call whose service died while it changed something',
    OPTIONS,
    async () => {
      await using test = await createTestDatabase(dialect);
      const { url, database } = test;
      await seedTestDatabase(database);
      const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
      const subject = await insertTestMember(database, { memberships: { 2: 1 } });
      const begin = await startKilledService(url, NEVER, 'admin');
      const body = { memberId: subject.id, reason: REASON, write: true };
      const answer = await post(begin.url, '/v1/impersonation/start', root.token, body);
      const { token } = started.parse(await answer.json());
      await begin[Symbol.asyncDispose]();

      const { auditLog, subjects } = database.tables;
      const deaths = rounds({ suite: 2, stress: 40 });
      let answered = 0;
      for (let death = 0; death < deaths; death += 1) {
        const at = { createdAtMs: 1, accountId: 2 };
        const subjectId = await database.insert(subjects, { name: `Subject ${death}`, ...at });
        // A removal takes a handful of statements; the last of these deaths come after it.
        const statement = 1 + ((death * 3) % 9);
        const when = death % 2 === 0 ? 'before' : 'during';
        const dying = await startKilledService(url, { statement, when });
        const status = await post(dying.url, '/v1/subject/remove', token, { subjectId }).then(
          (response) => response.status,
          () => 0,
        );
        await dying[Symbol.asyncDispose]();
        if (status === 200) answered += 1;
        const lines = await database.select().from(auditLog);
        const called = lines.filter(({ action }) => action === 'impersonation.called');
        expect([statement, when, status, called.length]).toEqual([statement, when, status, death + 1]);
      }
      printMeasurements('calls of an impersonation are audited before their effect', {
        deaths,
        answered,
        missing: 0,
      });
    },
  );
});

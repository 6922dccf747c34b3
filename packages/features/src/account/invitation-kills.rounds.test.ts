import { setTimeout as pause } from 'node:timers/promises';
import { createApp } from '@gatehouse/api-main/app';
import type { Database } from '@gatehouse/db/database';
import {
  createTestDatabase,
  insertTestMember,
  printMeasurements,
  rounds,
  seedTestDatabase,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { confirmTestMember, insertTestAccount, insertTestInvitation, linkOf } from '../test/invitations.js';
import { type Death, startKilledService } from '../test/killed-service.js';

const dialect = inject('dialect');

const OPTIONS = { timeout: 1_200_000 };

const PASSWORD = 'Analytical-Engine-1843';

/** The time from the start of a registration to its commit. */
const STATEMENTS = 14;

/** Longer than anything a test waits for. */
const NEVER: Death = { statement: 1_000_000, when: 'before' };

async function post(url: string, path: string, headers: Record<string, string>, input: object) {
  const response = await fetch(`${url}/v1/invitation/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(input),
  });
  const body: unknown = await response.json();
  return { status: response.status, body };
}

/** An account with an owner who may invite. */
async function insertInvitingAccount(db: Database) {
  const accountId = await insertTestAccount(db);
  const owner = await insertTestMember(db, { memberships: { [accountId]: 1 } });
  await confirmTestMember(db, owner);
  return { accountId, owner, headers: { token: owner.token, accountid: String(accountId) } };
}

describe('a service killed with SIGKILL', () => {
  it('keeps every acknowledged invitation and answer', OPTIONS, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database } = test;
    await seedTestDatabase(database);
    await using other = await startService(createApp, { dialect, application: 'web', database });
    for (let round = 0; round < rounds({ suite: 1, stress: 30 }); round += 1) {
      const { accountId, owner, headers } = await insertInvitingAccount(database);
      const member = await insertTestMember(database);
      await confirmTestMember(database, member);
      const invited = { accountId, inviterId: owner.id };
      const ids = {
        accept: await insertTestInvitation(database, { ...invited, email: member.email }),
        join: await insertTestInvitation(database, { ...invited, email: `new-${round}@x.test` }),
        revoke: await insertTestInvitation(database, invited),
        decline: await insertTestInvitation(database, invited),
      };
      const token = await linkOf(other, ids.join);
      const refused = await linkOf(other, ids.decline);
      {
        await using dying = await startKilledService(url, NEVER);
        const username = `new-${round}`;
        const answers = await Promise.all([
          post(dying.url, 'create', headers, { email: `made-${round}@x.test`, roleType: 5 }),
          post(dying.url, 'accept', { token: member.token }, { invitationId: ids.accept }),
          post(dying.url, 'join', {}, { token, username, password: PASSWORD }),
          post(dying.url, 'revoke', headers, { invitationId: ids.revoke }),
          post(dying.url, 'decline', {}, { token: refused }),
        ]);
        expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
      }
      const { invitations, mailOutbox, memberships } = database.tables;
      const rows = (await database.select().from(invitations)).filter((row) => row.accountId === accountId);
      const statusOf = (id: number) => rows.find((row) => row.id === id)?.status;
      expect(Object.values(ids).map(statusOf)).toEqual(['accepted', 'accepted', 'revoked', 'declined']);
      const made = rows.find(({ email }) => email === `made-${round}@x.test`);
      const mails = await database.select().from(mailOutbox);
      expect(mails.filter(({ id }) => id === made?.mailId)).toHaveLength(1);
      const joined = await database.select().from(memberships);
      expect(joined.filter((row) => row.accountId === accountId)).toHaveLength(3);
      // The next request, on another node.
      const seen = await other.send('/auth/me', { token: member.token, accountId });
      expect(await seen.json()).toMatchObject({ currentAccount: { accountId, role: 5 } });
    }
  });

  it('leaves a join complete or absent at any statement, and the join can be repeated', OPTIONS, async () => {
    await using test = await createTestDatabase(dialect);
    const { url, database } = test;
    await seedTestDatabase(database);
    await using other = await startService(createApp, {
      dialect,
      application: 'web',
      database,
      env: { REGISTRATIONS_PER_ADDRESS: '100000' },
    });
    const { accountId, owner } = await insertInvitingAccount(database);
    const found = { complete: 0, absent: 0, answered: 0 };
    const total = rounds({ suite: 2, stress: 100 });
    for (let round = 0; round < total; round += 1) {
      const email = `new-${round}@x.test`;
      const id = await insertTestInvitation(database, { accountId, inviterId: owner.id, email });
      const input = { token: await linkOf(other, id), username: `new-${round}`, password: PASSWORD };
      const statement = 1 + (Math.floor((round * STATEMENTS) / Math.min(total, STATEMENTS)) % STATEMENTS);
      await using dying = await startKilledService(url, {
        statement,
        when: round % 2 === 0 ? 'during' : 'before',
      });
      const answer = await post(dying.url, 'join', {}, input).catch(() => undefined);
      if (answer === undefined) await dying.ended;
      const { member, status, places, lines } = await settled(database, { email, id });
      const isComplete = member !== undefined;
      expect([status, places, lines]).toEqual(isComplete ? ['accepted', 1, 1] : ['open', 0, 0]);
      if (answer?.status === 200) expect(isComplete).toBe(true);
      found[isComplete ? 'complete' : 'absent'] += 1;
      if (answer !== undefined) found.answered += 1;
      const again = await post(other.url, 'join', {}, input);
      expect(again.status).toBe(isComplete ? 409 : 200);
    }
    printMeasurements('a joining survives a kill whole or not at all', { rounds: total, ...found });
  });
});

/** What is stored of a registration, once the server has noticed that the client of a transaction is gone. */
async function settled(db: Database, { email, id }: { email: string; id: number }) {
  const { members, memberships, invitations, auditLog } = db.tables;
  for (let last: string | undefined; ; await pause(50)) {
    const member = (await db.select().from(members)).find((row) => row.email === email);
    const invitation = (await db.select().from(invitations)).find((row) => row.id === id);
    const places = (await db.select().from(memberships)).filter((row) => row.memberId === member?.id);
    const lines = (await db.select().from(auditLog)).filter(
      (row) => row.action === 'invitation.accepted' && row.subjectId === String(id),
    );
    const present = { member, status: invitation?.status, places: places.length, lines: lines.length };
    if (JSON.stringify(present) === last) return present;
    last = JSON.stringify(present);
  }
}

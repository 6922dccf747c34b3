import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { createDemonstration } from '../test/test-databases.js';
import { claimDeliveries, listClaimed } from './event-deliveries.js';
import { findEndpoint, insertEndpoint, setEndpoint } from './event-endpoints.js';
import { insertEvent, listEvents, sequenceEvents } from './events.js';
import { listAccessChanges, listChangesSinceCheckpoint } from './list-access-changes.js';
import { insertMail } from './mail-queue.js';
import { findPartnerOfToken } from './partner-secrets.js';
import { insertPartner, recordPartnerUse } from './partners.js';
import { queueEvents } from './queue-events.js';
import { MAIL_OF_BEFORE, settleRestored } from './settle-restored.js';
import { SKIPPED_IDS } from './skip-ids.js';

const dialect = inject('dialect');

const MEMBER = 3;

const nowMs = 1_800_000_600_000;

const STEP = nowMs / 30_000;

const all = { nowMs, keepsSessions: false, keepsBackupCodes: false };

async function memberOf(db: Database, id: number) {
  const { members } = db.tables;
  const [member] = await db.select().from(members).where(eq(members.id, id));
  return member;
}

/** Something of each kind that ends. */
async function writeOutstanding(db: Database): Promise<void> {
  const { tables } = db;
  const times = { createdAtMs: 1, expiresAtMs: nowMs + 1_000 };
  const own = { memberId: MEMBER, ...times };
  const digest = 'd'.repeat(64);
  await db.insert(tables.backupCodes, { memberId: MEMBER, digest, createdAtMs: 1 });
  await db.insert(tables.backupCodes, { memberId: MEMBER, digest: 'used', createdAtMs: 1, usedAtMs: 5 });
  await db.insert(tables.totpFactors, { memberId: MEMBER, secret: 's', lastStep: 7, createdAtMs: 1 });
  await db.insert(tables.totpFactors, { memberId: 4, secret: 's', lastStep: STEP + 9, createdAtMs: 1 });
  await db.insert(tables.mailedCodes, { ...own, boundKey: digest, digest });
  await db.insert(tables.oneTimePasswords, { ...own, serial: 1, digest });
  await db.insert(tables.enrolmentTickets, { ...own, ticketKey: digest });
  await db.insert(tables.socialStates, { stateKey: digest, purpose: 'login', providerId: 1, ...times });
  await db.insert(tables.signInChallenges, {
    ...own,
    challengeKey: digest,
    factorEpoch: 0,
    sessionEpoch: 0,
    passwordDigest: digest,
    kind: 'session',
    application: 'main',
    deployment: 'main',
    clientDigest: digest,
    amr: 'pwd',
  });
  await db.insert(tables.invitations, {
    accountId: 1,
    email: 'new@acme.test',
    emailKey: 'new@acme.test',
    openKey: 'new@acme.test',
    roleType: 5,
    status: 'open',
    inviterId: MEMBER,
    tokenKey: digest,
    expiresAtMs: nowMs + 1_000,
    createdAtMs: 1,
    updatedAtMs: 1,
  });
  await db.insert(tables.recoveries, {
    memberId: MEMBER,
    openKey: MEMBER,
    openedById: 1,
    reason: 'lost the phone',
    needsApproval: false,
    openedAtMs: 1,
    effectiveAtMs: 2,
  });
  const mail = { kind: 'm', memberId: MEMBER, recipient: 'a@b.test', subject: 's', text: 't', html: 'h' };
  await insertMail(db, { ...mail, idempotencyKey: 'waiting', state: 'pending', nowMs: 1 });
  await insertMail(db, { ...mail, idempotencyKey: 'void', state: 'void', nowMs: 1 });
  await db.write(
    db
      .update(tables.members)
      .set({ authTokenDigest: digest, pendingEmail: 'x@y.test', pendingEmailKey: 'x@y.test' })
      .where(eq(tables.members.id, MEMBER)),
  );
}

describe('a restored database', () => {
  it('has no valid session, token, code, link or mail from before the restore', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { tables } = db;
    await writeOutstanding(db);
    const before = await memberOf(db, MEMBER);
    const settled = await settleRestored(db, all);
    expect(settled).toMatchObject({ backupCodes: 1, invitations: 1, recoveries: 1, mails: 1 });
    expect(settled.members).toBe((await db.select({ id: tables.members.id }).from(tables.members)).length);
    expect(await memberOf(db, MEMBER)).toEqual({
      ...before,
      eventVersion: SKIPPED_IDS,
      sessionEpoch: 1,
      factorEpoch: 1,
      tokensValidAfterMs: nowMs,
      authTokenDigest: null,
      pendingEmail: null,
      pendingEmailKey: null,
    });
    const { mailedCodes, oneTimePasswords, enrolmentTickets, socialStates, signInChallenges } = tables;
    for (const table of [mailedCodes, oneTimePasswords, enrolmentTickets, socialStates, signInChallenges])
      expect(await db.select().from(table)).toEqual([]);
    expect((await db.select().from(tables.backupCodes)).map(({ usedAtMs }) => usedAtMs)).toEqual([nowMs, 5]);
    expect((await db.select().from(tables.totpFactors)).map(({ lastStep }) => lastStep)).toEqual([
      STEP + 1,
      STEP + 9,
    ]);
    expect(await db.select().from(tables.invitations)).toMatchObject([
      { status: 'revoked', openKey: null, endedAtMs: nowMs },
    ]);
    expect(await db.select().from(tables.recoveries)).toMatchObject([{ openKey: null, outcome: 'canceled' }]);
    expect(
      (await db.select().from(tables.mailOutbox)).map(({ state, lastError }) => [state, lastError]),
    ).toEqual([
      ['dead', MAIL_OF_BEFORE],
      ['void', null],
    ]);
  });

  it('reuses no id, not even in tables that were empty', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await settleRestored(db, all);
    await settleRestored(db, all);
    const id = await db.insert(db.tables.accounts, {
      name: 'n',
      nameKey: 'n',
      ownerId: 1,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    expect(id).toBeGreaterThan(2 * SKIPPED_IDS);
    const first = await db.insert(db.tables.backupCodes, { memberId: 1, digest: 'd', createdAtMs: 1 });
    expect(first).toBeGreaterThan(2 * SKIPPED_IDS);
  });

  it('gives events higher places and versions than readers may have seen, and loses none that waits', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const happen = async (count: number) => {
      for (let at = 0; at < count; at += 1)
        await insertEvent(db, {
          publicId: `evt_${randomUUID().slice(0, 24)}`,
          type: 'account.updated',
          version: 1,
          atMs: nowMs,
          subject: { kind: 'account', id: 1 },
          accountId: 1,
          actor: { kind: 'system', id: null },
          data: {},
          audience: { accounts: [1], partners: [] },
        });
      while ((await sequenceEvents(db, randomUUID(), 100)) > 0);
    };
    const listAfter = (after: number) => {
      const range = { after, through: Number.MAX_SAFE_INTEGER, limit: 10 };
      return listEvents(db, { audience: 'account:1' }, range);
    };
    const endpoint = { scope: 'account:1', accountId: 1, partnerId: null, url: 'https://a.test/' };
    const settings = { types: ['account.*'], description: '', active: true, level: 1, savedById: 1 };
    const id = await insertEndpoint(db, { ...endpoint, ...settings, position: 0 }, nowMs);
    const queue = async () => {
      const row = await findEndpoint(db, { id });
      if (row === undefined) throw new TypeError('the endpoint is gone');
      await setEndpoint(db, id, { position: await queueEvents(db, row, { limit: 100, nowMs }) });
    };
    await happen(2);
    await queue();
    const [, last] = await listAfter(0);
    // What happened after the backup, and readers have seen.
    const seen = { position: (last?.position ?? 0) + 500, version: (last?.subjectVersion ?? 0) + 500 };
    await settleRestored(db, all);
    await happen(1);
    const found = await listAfter(seen.position);
    expect(found.at(-1)?.subjectVersion).toBeGreaterThan(seen.version);
    await queue();
    const claim = { leaseToken: 'x', leaseUntilMs: nowMs + 1, limit: 10, nowMs };
    const ids = await claimDeliveries(db, id, claim);
    const waiting = await listClaimed(db, id, { ids, leaseToken: 'x', nowMs });
    const kept = (await listAfter(0)).map(({ publicId }) => publicId);
    expect(waiting.map(({ event }) => event?.publicId)).toEqual(kept);
    expect(kept).toHaveLength(3);
  });

  it('restarts its log of access changes without gaps, above every id that a node has read', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { accessChanges } = db.tables;
    const read = await db.insert(accessChanges, { memberId: MEMBER, atMs: 1 });
    await settleRestored(db, all);
    const since = await listChangesSinceCheckpoint(db, 10);
    expect(since?.changes).toHaveLength(1);
    expect(since?.changes[0]?.id).toBe(since?.checkpoint);
    expect(since?.checkpoint).toBeGreaterThan(SKIPPED_IDS);
    const { changes } = await listAccessChanges(db, read, []);
    expect(changes.map(({ id }) => id)).not.toContain(read);
  });

  it('refuses tokens that partners got earlier, and keeps a later limit that is stored', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { partners } = db.tables;
    const names = ['north', 'south'];
    for (const name of names) {
      const partnerId = await insertPartner(db, { name, nameKey: name, appUrl: 'https://a.test', nowMs: 1 });
      await recordPartnerUse(db, {
        partnerId,
        nowMs: 1,
        token: { digest: 'd'.repeat(64), expiresAtMs: nowMs },
      });
    }
    await db.write(
      db
        .update(partners)
        .set({ tokensValidAfterMs: nowMs + 5_000 })
        .where(eq(partners.nameKey, 'south')),
    );
    const { partners: count } = await settleRestored(db, { ...all, keepsSessions: true });
    const rows = await db.select().from(partners);
    expect(count).toBe(rows.length);
    for (const row of rows)
      expect(row).toMatchObject({
        isActive: true,
        tokensValidAfterMs: row.nameKey === 'south' ? nowMs + 5_000 : nowMs,
        tokenDigest: null,
        tokenExpiresAtMs: null,
      });
    const tokenOf = (issuedAtMs: number) =>
      findPartnerOfToken(db, { name: { nameKey: 'north' }, secretId: null, issuedAtMs, nowMs });
    expect(await tokenOf(nowMs)).toBeUndefined();
    expect(await tokenOf(nowMs + 1)).toMatchObject({ name: 'north' });
  });

  it('makes no earlier token valid again when its clock is behind', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await settleRestored(db, all);
    await settleRestored(db, { ...all, nowMs: nowMs - 60_000 });
    expect(await memberOf(db, MEMBER)).toMatchObject({ tokensValidAfterMs: nowMs });
  });

  it('keeps sessions and backup codes if the operator says so, but no token issued after the backup', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await writeOutstanding(db);
    await settleRestored(db, { nowMs, keepsSessions: true, keepsBackupCodes: true });
    expect(await memberOf(db, MEMBER)).toMatchObject({
      sessionEpoch: 0,
      tokensValidAfterMs: nowMs,
      authTokenDigest: 'd'.repeat(64),
    });
    expect((await db.select().from(db.tables.backupCodes)).map(({ usedAtMs }) => usedAtMs)).toEqual([
      null,
      5,
    ]);
  });
});

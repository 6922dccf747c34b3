import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountName } from '@gatehouse/db/queries/change-accounts';
import { setMemberProfile } from '@gatehouse/db/queries/change-member';
import { findOpenRecovery, insertRecovery } from '@gatehouse/db/queries/recoveries';
import { insertSecurityEvent } from '@gatehouse/db/queries/security-event-log';
import { insertTestMail } from '@gatehouse/features/test/insert-test-mail';
import { type Answer, type StaffWorld, startStaffWorld } from '@gatehouse/features/test/staff-world';
import { type ListedProcedure, listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { insertTestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { router } from './router.js';

/** Put into every text about people and things that staff with a grant on account 2 do not reach, and nowhere else. */
const MARK = 'zzforeign';
const GRANTED = 2;
const FOREIGN_ACCOUNTS = [1, 3];
const UNKNOWN = 999_999;
/** People of the demonstration who are in account 2, or granted it; member 3 is in account 1, too. */
const WITHIN = [2, 3, 8];

/** Every guarded procedure that reads, including future ones. */
const READING = listProcedures(router).filter(
  ({ type, rule }) => type === 'query' && !['anyone', 'bearer', 'authToken'].includes(rule?.who ?? 'anyone'),
);

/** Every procedure that writes about members, accounts, staff or partners other than the caller. */
const WRITING = listProcedures(router).filter(
  ({ type, name, rule }) =>
    type === 'mutation' &&
    ['staff', 'root', 'account'].includes(rule?.who ?? '') &&
    !['profile.update', 'session.issueAuthToken', 'export.begin'].includes(name),
);

interface Foreign {
  readonly memberIds: readonly number[];
  readonly personnelId: number;
  readonly mailId: number;
  readonly webhookId: number;
  readonly impersonationId: number;
  readonly invitationIds: readonly number[];
  readonly recoveryId: number;
}

/** Puts the mark into everything about everybody outside account 2. */
async function plantMarks({ service, manager, member, root }: StaffWorld): Promise<Foreign> {
  const { database: db } = service;
  const { affiliates, auditLog, members, partners, partnerMembers, sessions } = db.tables;
  const colleague = await insertTestMember(db, { roleType: 6, isPersonnel: true, grants: [1, 3] });
  const own = [...WITHIN, manager.id, member.id, root.id];
  const nowMs = Date.now();
  const people = (await db.select().from(members)).filter(({ id }) => !own.includes(id));
  for (const { id } of people) {
    const name = `${MARK}${id}`;
    const names = { username: name, usernameKey: name, firstName: name, firstNameKey: name };
    await changeAccess(db, { members: [id] }, (tx) =>
      setMemberProfile(tx, { memberId: id, nowMs, ...names, lastName: name, lastNameKey: name }),
    );
    await insertSecurityEvent(db, {
      memberId: id,
      atMs: nowMs,
      kind: 'login',
      address: '10.9.9.9',
      device: `${MARK} browser`,
      actorId: null,
    });
    await db.insert(affiliates, {
      memberId: id,
      code: `${MARK}${id}`,
      codeKey: `${MARK}${id}`,
      commissionBasisPoints: 100,
      payoutEmail: `${MARK}@out.test`,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
    await db.insert(db.tables.referrals, { memberId: id, affiliateId: 9, createdAtMs: nowMs });
    await insertTestMail(db, {
      memberId: id,
      state: 'dead',
      recipient: `o@${MARK}.test`,
      kind: `${MARK}Kind`,
    });
    await db.insert(sessions, {
      tokenKey: String(id).padStart(64, '0'),
      memberId: id,
      kind: 'session',
      epoch: 0,
      device: `${MARK} telephone`,
      address: '10.9.9.9',
      createdAtMs: nowMs,
      lastSeenAtMs: nowMs,
      expiresAtMs: nowMs + 3_600_000,
    });
    await db.insert(partnerMembers, { partnerId: 1, memberId: id, linkedAtMs: nowMs });
    await db.insert(auditLog, {
      atMs: nowMs,
      actorId: id,
      onBehalfOfId: id,
      accountId: 1,
      action: `${MARK}.done`,
      requestId: MARK,
      before: null,
      after: { name: MARK },
    });
  }
  await db.write(db.update(partners).set({ name: `${MARK} partner` }));
  const invitationIds: number[] = [];
  for (const id of FOREIGN_ACCOUNTS) {
    const name = `${MARK} account ${id}`;
    await changeAccess(db, { accounts: [id] }, (tx) =>
      setAccountName(tx, { accountId: id, name, nameKey: name, nowMs }),
    );
    const email = `guest@${MARK}.test`;
    const invitationId = await db.insert(db.tables.invitations, {
      accountId: id,
      email,
      emailKey: email,
      openKey: email,
      roleType: 5,
      status: 'open',
      inviterId: 4,
      expiresAtMs: nowMs + 3_600_000,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
    invitationIds.push(invitationId);
  }
  await insertRecovery(db, {
    memberId: 9,
    openedById: 1,
    reason: MARK,
    needsApproval: true,
    openedAtMs: nowMs,
    effectiveAtMs: nowMs + 3_600_000,
  });
  const recoveryId = (await findOpenRecovery(db, 9))?.id ?? 0;
  const mailId = await insertTestMail(db, { memberId: 9, state: 'dead', recipient: `o@${MARK}.test` });
  const webhookId = await db.insert(db.tables.webhookLog, {
    provider: 'stripe',
    endpoint: 'stripe',
    eventId: MARK,
    dedupeKey: MARK,
    type: MARK,
    body: MARK,
    bodyBytes: MARK.length,
    digest: 'd'.repeat(64),
    status: 'processed',
    accountId: 1,
    address: '127.0.0.1',
    receivedAtMs: nowMs,
  });
  const impersonationId = await db.insert(db.tables.impersonations, {
    actorId: 1,
    actorEpoch: 0,
    memberId: 9,
    accountId: 3,
    reason: MARK,
    mayWrite: false,
    createdAtMs: nowMs,
    expiresAtMs: nowMs + 3_600_000,
  });
  const ids = { mailId, webhookId, impersonationId, invitationIds, recoveryId };
  return { memberIds: [4, 7, 9, 10], personnelId: colleague.id, ...ids };
}

/** The fields that a call may report as written. */
const WRITTEN = {
  accountIds: [[1]],
  active: [true, false],
  allowsAgents: [false],
  allowIdpInitiated: [true],
  appUrl: ['https://mine.test'],
  applicationTokens: ['jwt'],
  blocked: [true],
  blockedClientHosts: [['agent.example.com']],
  clientId: ['mine'],
  clientSecret: ['Anchor-Meadow-17'],
  closeAccounts: [true],
  code: ['TAKEOVER'],
  commissionPercent: [1],
  customRoleId: [1],
  days: [3],
  domains: [['mine.example']],
  email: ['mine@mine.test'],
  externalId: ['mine'],
  host: ['agent.example.com'],
  firstName: ['Mine'],
  graceDays: [1],
  issuer: ['https://mine.example'],
  key: ['mine'],
  languageModelId: [1],
  lastName: ['Mine'],
  level: [2],
  metadataUrl: ['https://mine.example/metadata'],
  metadataXml: ['<x/>'],
  minutes: [30],
  name: ['Mine'],
  overlapSeconds: [60],
  payoutEmail: ['mine@mine.test'],
  role: ['Owner'],
  sessionHours: [1],
  topic: ['Theirs'],
  write: [true],
};

/** Values of an input field that name other people's data; `undefined` if the field names nobody. */
function valuesOf({
  memberIds,
  personnelId,
  mailId,
  webhookId,
  impersonationId,
  invitationIds,
  recoveryId,
}: Foreign): Readonly<Record<string, unknown[]>> {
  const now = Date.now();
  return {
    memberId: [...memberIds],
    userId: [...memberIds],
    accountId: FOREIGN_ACCOUNTS,
    ownerId: [3, 9],
    personnelId: [personnelId],
    affiliateId: [9],
    partnerId: [1],
    actorId: [9],
    mailId: [mailId],
    impersonationId: [impersonationId],
    sessionId: [1, 2, 3],
    invitationId: [...invitationIds],
    recoveryId: [recoveryId],
    connectionId: [1],
    testId: [1],
    machineId: [1],
    keyId: [1],
    scopes: [['audit.read']],
    expiresInDays: [1],
    addresses: [[]],
    perMinute: [10],
    resourceId: [1],
    applicationId: [1],
    secretId: [1],
    redirectUris: [['https://mine.test/callback']],
    postLogoutRedirectUris: [['https://mine.test/']],
    backchannelLogoutUri: ['https://mine.test/logout'],
    jwks: [
      { keys: [{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' }] },
      null,
    ],
    jwksUri: ['https://mine.test/keys.json', null],
    resources: [[]],
    subjectType: ['pairwise'],
    pkceExempt: [true],
    skipConsent: [true],
    endpointId: [1],
    deliveryId: [1],
    ids: [[1]],
    to: [new Date(now + 86_400_000).toISOString()],
    overlapHours: [24],
    url: ['https://10.0.0.1/'],
    description: ['Mine'],
    ttlSeconds: [60],
    origin: ['https://api.example.test'],
    permission: ['member.list', 'audit.read'],
    permissions: [['account.read']],
    id: [webhookId],
    subjectKind: ['member'],
    subjectId: ['9'],
    search: ['', MARK, 'a', '%'],
    source: ['auth0'],
    action: [`${MARK}.done`],
    requestId: [MARK],
    kind: [`${MARK}Kind`],
    state: ['failed', 'live', 'banned', 'on'],
    sort: ['id', '-email', 'lastLogin', '-name', 'certificatesEndAt'],
    status: ['processed'],
    provider: ['stripe'],
    roleType: [1, 5],
    reason: ['They asked in writing'],
    from: [new Date(now - 86_400_000).toISOString()],
    until: [new Date(now + 86_400_000).toISOString()],
    zone: ['Europe/Berlin'],
    bucket: ['hour'],
    limit: [200],
    cursor: [null],
    after: ['1.0'],
    types: [['member.*']],
    versions: [{ 'member.updated': 1 }],
    type: ['member.updated'],
    wait: [0],
    ...WRITTEN,
  };
}

const inputSchema = z.object({
  properties: z.record(z.string(), z.unknown()).default({}),
  required: z.array(z.string()).default([]),
});

/**
 * Every call of a procedure that its input allows: the required fields, with each value, and each optional field added alone.
 * @throws {Error} for a field without values in `valuesOf`
 */
function callsOf(procedure: ListedProcedure, foreign: Foreign): Record<string, unknown>[] {
  const { name, input } = procedure;
  const { properties, required } = inputSchema.parse(
    input ? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) : {},
  );
  const known = valuesOf(foreign);
  const values = (field: string): unknown[] => {
    const found = known[field];
    if (found === undefined)
      throw new Error(`${name}: add values of its field ${field} to valuesOf in this test`);
    return found;
  };
  let calls: Record<string, unknown>[] = [{}];
  for (const field of required)
    calls = calls.flatMap((call) => values(field).map((value) => ({ ...call, [field]: value })));
  const optional = Object.keys(properties).filter((field) => !required.includes(field));
  return [
    ...calls,
    ...calls.flatMap((call) =>
      optional.flatMap((field) => values(field).map((value) => ({ ...call, [field]: value }))),
    ),
  ];
}

/** Calls a procedure, in the selected account if it needs one. */
async function ask(
  world: StaffWorld,
  { name, rule }: ListedProcedure,
  input: object,
  as: { readonly token: string },
  accountId = GRANTED,
): Promise<Answer> {
  if (rule?.who !== 'account') return world.call(name, input, as);
  const path = `/v1/${name.replace('.', '/')}`;
  const response = await world.service.send(path, { token: as.token, accountId, body: input });
  const body = (await response.json()) as Record<string, unknown>;
  return { status: response.status, code: undefined, body };
}

/** All rows in which a change of theirs would show. */
async function readWhatCounts({ select, tables }: Database): Promise<unknown> {
  const { accounts, affiliates, auditLog, customRoles, impersonations, invitations } = tables;
  const { mailOutbox, members, memberships, partners, personnelGrants, recoveries } = tables;
  const { subscriptions, webhookLog } = tables;
  const counted = [accounts, affiliates, auditLog, customRoles, impersonations, invitations, mailOutbox];
  const others = [members, memberships, partners, personnelGrants, recoveries, subscriptions, webhookLog];
  return Promise.all([...counted, ...others].map((table) => select().from(table)));
}

const THEIR_ADDRESSES = /(?:manager|contributor|designer|member|archived|legacy)@acme|owner@cedar/;

/** Ids of accounts and members anywhere in an answer. */
function idsIn(value: unknown, key = ''): { key: string; id: number }[] {
  if (typeof value === 'number' && /^(?:account|member)Id$/.test(key)) return [{ key, id: value }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => idsIn(each, name));
}

function showsForeign({ body }: Answer): boolean {
  const isForeign = (found: { key: string; id: number }) =>
    found.key === 'accountId'
      ? FOREIGN_ACCOUNTS.includes(found.id)
      : [4, 5, 6, 7, 9, 10, 11].includes(found.id);
  const text = JSON.stringify(body);
  return text.includes(MARK) || THEIR_ADDRESSES.test(text) || idsIn(body).some(isForeign);
}

// Each makes hundreds of calls.
const OPTIONS = { timeout: 120_000 };

describe('staff with a grant on one account', OPTIONS, () => {
  it('see only that account in every procedure that reads, with any input', async () => {
    await using world = await startStaffWorld();
    const foreign = await plantMarks(world);
    const blind: string[] = [];
    for (const procedure of READING) {
      const { name } = procedure;
      let isReached = false;
      let isSeenByRoot = false;
      for (const input of callsOf(procedure, foreign)) {
        const where = `${name} ${JSON.stringify(input)}`;
        const answer = await ask(world, procedure, input, world.manager);
        expect([200, 400, 403, 404], where).toContain(answer.status);
        expect([where, showsForeign(answer)]).toEqual([where, false]);
        isReached ||= answer.status === 200 || answer.status === 404;
        isSeenByRoot ||= showsForeign(await ask(world, procedure, input, world.root, 1));
      }
      // Otherwise the mark would be nowhere, and this test could not fail.
      if (isReached && !isSeenByRoot && procedure.rule?.who !== 'member') blind.push(name);
    }
    // It returns facts without names; its refusals are checked below.
    expect(blind).toEqual(['access.explain']);
    expect(READING.length).toBeGreaterThan(20);
  });

  it("get the same answer for another account's data as for data that does not exist", async () => {
    await using world = await startStaffWorld();
    const foreign = await plantMarks(world);
    for (const procedure of READING) {
      for (const input of callsOf(procedure, foreign)) {
        const ids = Object.entries(input).filter(
          ([field, value]) => /Id$|^id$/.test(field) && typeof value === 'number',
        );
        // Member 3 is in an account of theirs, and everybody may say which partner or account owner they search for.
        if (ids.length === 0 || ids.some(([field, id]) => id === 3 || field === 'personnelId')) continue;
        const nobodys = { ...input, ...Object.fromEntries(ids.map(([field]) => [field, UNKNOWN])) };
        const where = `${procedure.name} ${JSON.stringify(input)}`;
        const theirs = await ask(world, procedure, input, world.manager);
        expect([where, await ask(world, procedure, nobodys, world.manager)]).toEqual([where, theirs]);
      }
    }
  });

  it("get nothing of another account by selecting it or by another caller's cursor", async () => {
    await using world = await startStaffWorld();
    const foreign = await plantMarks(world);
    for (const procedure of READING) {
      const { name, rule } = procedure;
      if (rule?.who !== 'staff' && rule?.who !== 'root' && rule?.who !== 'account') continue;
      for (const input of callsOf(procedure, foreign).slice(0, 6)) {
        const where = `${name} ${JSON.stringify(input)}`;
        for (const accountId of FOREIGN_ACCOUNTS) {
          const selected = await world.service.send(`/v1/${name.replace('.', '/')}`, {
            token: world.manager.token,
            accountId,
            body: input,
          });
          expect([400, 403], where).toContain(selected.status);
        }
        const first = await ask(world, procedure, { ...input, limit: 1 }, world.root, 1);
        const page = z.object({ nextCursor: z.string() }).safeParse(first.body['page']);
        if (!page.success) continue;
        const cursor = page.data.nextCursor;
        const next = await ask(world, procedure, { ...input, limit: 50, cursor }, world.manager);
        expect([200, 403, 404], where).toContain(next.status);
        expect([where, showsForeign(next)]).toEqual([where, false]);
      }
    }
  });

  it('change nothing of another account by any procedure that writes, with any input', async () => {
    await using world = await startStaffWorld();
    const foreign = await plantMarks(world);
    const { database: db } = world.service;
    const options = { isPersonnel: true, isConfirmed: true, grants: [GRANTED] };
    const highest = await insertTestMember(db, { roleType: 1, ...options });
    const before = await readWhatCounts(db);
    for (const procedure of WRITING) {
      const { name, rule } = procedure;
      const refusals = new Set<number>();
      for (const input of callsOf(procedure, foreign)) {
        for (const as of [world.manager, highest]) {
          // Procedures that name an invitation are also called in the caller's own account.
          const own = rule?.who !== 'account' || 'invitationId' in input ? [GRANTED] : [];
          const inAccounts = rule?.who === 'account' ? [...FOREIGN_ACCOUNTS, ...own] : own;
          for (const accountId of inAccounts) {
            const { status } = await ask(world, procedure, input, as, accountId);
            expect([400, 403, 404], `${name} ${JSON.stringify(input)}`).toContain(status);
            refusals.add(status);
          }
        }
      }
      // Otherwise the input would be wrong, and this test could not fail.
      expect([name, refusals.has(403) || refusals.has(404)]).toEqual([name, true]);
    }
    expect(await readWhatCounts(db)).toEqual(before);
    expect(WRITING.length).toBeGreaterThan(30);
  });

  it('see their own account with the same calls', async () => {
    await using world = await startStaffWorld();
    await plantMarks(world);
    const page = await world.call('account.page', { accountId: GRANTED }, world.manager);
    expect(page.body['data']).toMatchObject({ account: { id: GRANTED, name: 'Birch & Co' } });
    const found = await world.call('member.search', {}, world.manager);
    expect((found.body['data'] as { id: number }[]).map(({ id }) => id)).toEqual([3, 8, world.member.id]);
  });
});

import { createApp } from '@gatehouse/api-main/app';
import {
  insertTestMember,
  type RunningService,
  signIn,
  signInByPassword,
  startService,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');

const HOUR_MS = 3_600_000;

const member = 'member@acme.test';

const password = 'Lantern-Harbor-42';

const start = (options: { now?: () => number } = {}) =>
  startService(createApp, { dialect, application: 'web', ...options });

type Row = Record<string, unknown>;

interface Export {
  data: Record<string, Row[]> & { format: string; profile: Row | null };
  page: { limit: number; nextCursor: string | null };
}

async function exportOwn(service: RunningService, token: string, cursor?: string) {
  const query = cursor === undefined ? '' : `?${new URLSearchParams({ cursor })}`;
  const response = await service.send(`/v1/member/exportOwn${query}`, { token });
  return { status: response.status, body: (await response.json()) as Export };
}

/** The columns of the schema that contain a member's id, and the section of the export with their rows. */
const EXPORTED: Record<string, string> = {
  'foreignIds.memberId': 'foreignIds',
  'memberships.memberId': 'memberships',
  'personnelGrants.personnelId': 'grants',
  'sessions.memberId': 'sessions',
  'securityEvents.memberId': 'events',
  'socialConnections.memberId': 'connections',
  'invitations.inviterId': 'invitationsSent',
  'partnerMembers.memberId': 'consents',
  'consents.memberId': 'applications',
  'affiliates.memberId': 'affiliations',
  'referrals.memberId': 'referrals',
  'participants.memberId': 'conversations',
  'messages.memberId': 'messages',
  'members.id': 'profile',
  'totpFactors.memberId': 'factors',
  'passkeys.memberId': 'passkeys',
  'accounts.ownerId': 'memberships',
};

/** The columns with a member's id that are left out, and why. */
const LEFT_OUT: Record<string, string> = {
  'accessChanges.memberId': 'tells nodes what to read again, and is removed within days',
  'apiKeys.machineId': 'is a machine, and no member who can ask',
  'resources.machineId': 'is a machine, and no member who can ask',
  'apiKeys.createdById': 'is about the key of a machine; the audit log of the account says who made it',
  'blockedClientHosts.createdById': 'is about the host; the audit log says which staff blocked it',
  'applications.createdById': 'is about the application; the audit log of the account says who registered it',
  'applications.machineId': 'is a machine, and no member who can ask',
  'applicationSecrets.createdById': 'is about the application; the audit log of the account says who made it',
  'applicationLogins.memberId': 'says when applications are told of a sign-out; they are among the consents',
  'oauthArtifacts.memberId': 'are secrets of applications; what they may do is among the consents',
  'machines.memberId': 'is a machine, and no member who can ask',
  'scimUsers.memberId': "is what the company's directory says; that it gave access is among the memberships",
  'scimTokens.createdById':
    'is about the token of a directory; the audit log of the account says who made it',
  'machines.createdById': 'is about the machine; the audit log of the account says who made it',
  'accounts.closedById': 'is about the account; the event says that the member closed it',
  'accounts.closedWithMemberId': 'tells what a restoration opens again, while the member cannot call',
  'accounts.openedById': 'is about the account; what it decides is one trial for each member',
  'eventEndpoints.savedById': 'is about the account; what the member did is in its audit log',
  'events.actorId': 'is for programs of the account; what the member did is among the security events',
  'auditLog.actorId': 'is evidence; what concerns the security of the member is among the events',
  'auditLog.onBehalfOfId': 'is evidence; what concerns the security of the member is among the events',
  'impersonations.actorId': 'is what staff did at work; it is in the events of whom it was done to',
  'impersonations.endedById': 'is what staff did at work',
  'impersonations.memberId': 'is evidence; that somebody acted for the member is among the events',
  'invitations.endedById': 'is about the invitation of somebody else, or stands in the memberships',
  'backupCodes.memberId': 'is a secret',
  'enrolmentTickets.memberId': 'is a secret',
  'loginFamiliarity.memberId': 'holds digests that say nothing',
  'mailedCodes.memberId': 'is a secret that lives for minutes',
  'formerAddresses.memberId': 'is kept for a week, to warn the old mailbox; the event says that it changed',
  'mailOutbox.memberId': 'holds mails that the member has got, encrypted until then',
  'memberKeys.memberId': 'is a secret',
  'memberships.grantedById': 'is what another member did, as the event says',
  'members.bannedById': 'is the member of staff who did it, as the event says',
  'members.deletedById': 'is the member of staff who did it, as the event says',
  'oneTimePasswords.memberId': 'is a secret',
  'recoveries.approvedById': 'is what staff did at work',
  'recoveries.endedById': 'is what staff did at work, or the member, as the event says',
  'recoveries.memberId': 'is what staff did at work; that there was one is among the events',
  'recoveries.openedById': 'is what staff did at work',
  'referrals.affiliateId': 'is about whom the member brought, who are other people',
  'seenMembers.memberId': 'repeats for counting when the sessions were used',
  'securityEvents.actorId': 'is in the events of whom it was done to',
  'signInChallenges.memberId': 'is a secret that lives for minutes',
  'socialStates.memberId': 'is a secret that lives for minutes',
  'ssoConnections.createdById': 'is about the connection; the audit log of the account says who made it',
  'ssoDomains.createdById': 'is about the domain; the audit log of the account says who added it',
  'ssoLogins.memberId': 'repeats what stands in the sessions',
  'ssoRuns.memberId': 'lives for minutes',
  'ssoSubjects.memberId': 'is how the account names them, whose audit log says that they joined',
};

/** Columns that end like an id and contain no member's id. */
const NO_MEMBERS =
  /\.(?:id|accountId|endpointId|partnerId|createdByPartnerId|externalId|foreignId|subjectId|conversationId|customRoleId|impersonationId|recoveryId|applicationId|resourceId|clientId|consentId|mailId|changeId|providerId|providerUserId|passkeyUserId|credentialId|rpId|requestId|eventId|lastEventId|customerId|subscriptionId|providerCustomerId|providerSubscriptionId|defaultPaymentId|checkoutId|sessionId|keyId|replacedById|familyId|openId|priceId|openPriceId|publicId|groupId|membershipId|tokenId|connectionId|ssoLoginId|managedByAccountId)$/;

/** Columns of a member that are not exported, and why. */
const SECRET_COLUMNS: Record<string, string> = {
  password: 'a secret',
  eventVersion: 'counts the events for programs',
  passwordIsPlain: 'says how a secret is stored',
  passwordRounds: 'says how a secret is stored',
  passwordDelayMs: 'says how a secret is stored',
  passwordListedAtMs: 'says something about a secret',
  authTokenDigest: 'a secret',
  authTokenExpiresAtMs: 'belongs to a secret',
  sidKey: 'repeats the sid for comparing',
  usernameKey: 'repeats the username for comparing',
  firstNameKey: 'repeats the first name for searching',
  lastNameKey: 'repeats the last name for searching',
  emailKey: 'repeats the address for comparing',
  pendingEmailKey: 'repeats the address for comparing',
  pendingAwaits: 'stands in /auth/me',
  impersonationId: 'is what staff do at work',
  isDeleted: 'is false for every member who can sign in',
  deletedAtMs: 'is empty for every member who can sign in',
  erasesAtMs: 'is empty for every member who can sign in',
  erasedAtMs: 'is empty for every member who can sign in',
  isMachine: 'is false for every member who can sign in',
  isCounted: 'says whether the statistics know of it',
  bannedRoleType: 'stands in the role type',
  bannedById: 'somebody else',
  deletedById: 'is empty for every member who can sign in',
  passkeyUserId: 'is random, and stands in the passkeys',
  factorEpoch: 'counts how often second factors changed',
  sessionEpoch: 'counts how often sessions were ended',
  tokensValidAfterMs: 'says from when tokens count',
  managedByAccountId: 'is one of the memberships',
  defaultPaymentId: 'a number of the replaced system, the same for everybody',
};

describe("a member's export of their own data", () => {
  it('includes every table that holds a member’s id, or has a reason why not', async () => {
    await using service = await start();
    const found = Object.entries(service.database.tables).flatMap(([table, columns]) =>
      Object.keys(columns)
        .filter((column) => /(?:^id|Id)$/.test(column))
        .map((column) => `${table}.${column}`),
    );
    const unknown = found.filter(
      (name) => !NO_MEMBERS.test(name) && EXPORTED[name] === undefined && LEFT_OUT[name] === undefined,
    );
    expect(unknown, 'list these in EXPORTED, LEFT_OUT or NO_MEMBERS of this test').toEqual([]);
    for (const name of [...Object.keys(EXPORTED), ...Object.keys(LEFT_OUT)]) expect(found).toContain(name);
    const { token } = await signIn(service, member);
    const { body } = await exportOwn(service, token);
    for (const section of Object.values(EXPORTED)) expect(body.data).toHaveProperty(section);
    const columns = Object.keys(service.database.tables.members).filter(
      (name) =>
        !['enableRLS', 'getSQL', 'shouldOmitSQLParens', '_', '$inferSelect', '$inferInsert'].includes(name),
    );
    const told = new Set(Object.keys(body.data.profile ?? {}));
    const untold = columns.filter(
      (name) => !told.has(name.replace(/(?:At)?Ms$/, 'At')) && SECRET_COLUMNS[name] === undefined,
    );
    expect(untold, 'export these, or list them in SECRET_COLUMNS of this test').toEqual([]);
  });

  it('contains what was stored there, nothing of anybody else, and no secret', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { database } = service;
    const { token, userId } = await signIn(service, member);
    const nowMs = clock.nowMs;
    const times = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const t = database.tables;
    const sealed = service.services.cipher.seal('provider token', 'x');
    await database.insert(t.socialConnections, {
      memberId: userId,
      providerId: 3,
      providerUserId: 'at-google',
      accessToken: sealed,
      tokenStatus: 'valid',
      ...times,
    });
    await database.insert(t.messages, {
      conversationId: 1,
      memberId: userId,
      body: 'mine',
      createdAtMs: nowMs,
    });
    await database.insert(t.messages, { conversationId: 1, memberId: 3, body: 'theirs', createdAtMs: nowMs });
    await database.insert(t.partnerMembers, { partnerId: 1, memberId: userId, linkedAtMs: nowMs });
    const known = { kind: 'member', source: 'auth0', foreignId: 'auth0|1' } as const;
    await database.insert(t.foreignIds, { ...known, memberId: userId, createdAtMs: nowMs });
    const left = { memberId: userId, accountId: 3, roleType: 5, active: false, isDeleted: true };
    await database.insert(t.memberships, { ...left, ...times });
    const invitation = {
      accountId: 2,
      roleType: 3,
      inviterId: 8,
      status: 'open',
      expiresAtMs: nowMs,
    } as const;
    await database.insert(t.invitations, { ...invitation, email: member, emailKey: member, ...times });
    const sent = { email: 'friend@else.test', emailKey: 'friend@else.test', ...times };
    await database.insert(t.invitations, { ...invitation, ...sent, inviterId: userId });
    await database.write(database.update(t.members).set({ emailConfirmedAtMs: nowMs }));
    const rows = await database.select().from(t.members);
    const own = rows.find(({ id }) => id === userId);

    const { status, body } = await exportOwn(service, token);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      format: 'gatehouse-export/1',
      exportedAt: new Date(nowMs).toISOString(),
      profile: { id: userId, email: member, username: own?.username, locale: 'en' },
      memberships: [
        { accountId: 1, accountName: 'Acme Studio', isPrimaryOwner: false },
        { accountId: 3, accountName: null, isDeleted: true },
      ],
      sessions: [{ kind: 'session', createdAt: new Date(nowMs).toISOString() }],
      events: [{ kind: 'login', outcome: 'ok' }],
      connections: [{ providerUserId: 'at-google' }],
      invitations: [{ accountId: 2, email: member }],
      invitationsSent: [{ accountId: 2 }],
      consents: [{ partnerName: 'acme-partner' }],
    });
    const said = body.data['messages']?.map(({ body: text }) => text) ?? [];
    expect([said.includes('mine'), said.includes('theirs')]).toEqual([true, false]);
    const text = JSON.stringify(body);
    const [session] = await database.select().from(t.sessions);
    for (const secret of [own?.password, sealed, session?.tokenKey, 'friend@else.test', 'owner@acme.test']) {
      expect(secret).toBeTruthy();
      expect(text).not.toContain(secret);
    }
  });

  it('comes in pages of 1,000 records, once an hour, only for the member', async () => {
    const clock = { nowMs: Date.now() };
    await using service = await start({ now: () => clock.nowMs });
    const { database } = service;
    const { token, userId } = await signIn(service, member);
    const createdAtMs = clock.nowMs;
    await database.insertMany(
      database.tables.messages,
      Array.from({ length: 2100 }, (_, index) => ({
        conversationId: 1,
        memberId: userId,
        body: `line ${index}`,
        createdAtMs,
      })),
    );
    const pages: Export[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const { status, body } = await exportOwn(service, token, cursor);
      expect(status).toBe(200);
      pages.push(body);
      cursor = body.page.nextCursor;
    }
    const count = ({ data }: Export) =>
      Object.values(data).reduce((sum, rows) => sum + (Array.isArray(rows) ? rows.length : 0), 0) +
      (data.profile === null ? 0 : 1);
    expect(pages.map(count).slice(0, 2)).toEqual([1000, 1000]);
    expect(pages).toHaveLength(3);
    const bodies = pages.flatMap(({ data }) => data['messages']?.map(({ body }) => body) ?? []);
    expect(new Set(bodies.filter((body) => String(body).startsWith('line'))).size).toBe(2100);
    const again = await exportOwn(service, token);
    expect(again).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } });
    const other = await signInByPassword(service, 'owner@acme.test', password);
    const second = pages[0]?.page.nextCursor ?? '';
    for (const wrong of [await exportOwn(service, other.token, second), await exportOwn(service, token, 'x')])
      expect(wrong).toMatchObject({ status: 400, body: { error: { code: 'invalid_input' } } });
    clock.nowMs += HOUR_MS;
    expect((await exportOwn(service, token)).status).toBe(403);
    await service.send('/v1/verification/prove', { token, body: { password } });
    const trpc = await service.send('/trpc/member.exportOwn', { token });
    expect(await trpc.json()).toMatchObject({ result: { data: { data: { format: 'gatehouse-export/1' } } } });
  });

  it('is closed to sessions that a partner began, and to strangers', async () => {
    await using service = await start();
    const { database } = service;
    const { id, token } = await insertTestMember(database);
    const { partnerMembers, sessions } = database.tables;
    await database.insert(partnerMembers, { partnerId: 1, memberId: id, linkedAtMs: 1 });
    await database.write(database.update(sessions).set({ partnerId: 1 }));
    expect(await exportOwn(service, token)).toMatchObject({
      status: 403,
      body: { error: { code: 'permission_denied' } },
    });
    expect((await service.send('/v1/member/exportOwn')).status).toBe(401);
  });
});

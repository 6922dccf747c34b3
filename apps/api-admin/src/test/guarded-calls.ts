import { randomId } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountOwner, shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setBan } from '@gatehouse/db/queries/change-member';
import { insertImpersonation } from '@gatehouse/db/queries/impersonations';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { findOpenRecovery, insertRecovery } from '@gatehouse/db/queries/recoveries';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { insertResource } from '@gatehouse/db/queries/resources';
import { PLATFORM } from '@gatehouse/db/queries/sso-connections';
import { DEPLOYMENT, scopeOfPartner } from '@gatehouse/features/endpoint/endpoint-scope';
import {
  CLOSED_ENDPOINT,
  insertTestEndpoint,
  removeOlderEndpoints,
} from '@gatehouse/features/test/insert-test-endpoint';
import {
  confirmTestMember,
  insertTestInvitation,
  proveTestMember,
} from '@gatehouse/features/test/invitations';
import { testMetadata } from '@gatehouse/features/test/saml-identity-provider';
import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { insertTestKey, insertTestMachine } from '@gatehouse/features/test/test-machines';
import { insertTestSso, removePlatformSso } from '@gatehouse/features/test/test-sso';
import { type GuardedCall, insertTestMember, SHARED_CALLS, unsettled } from '@gatehouse/testkit';

async function insertTestImpersonation(db: Database, actorId: number, memberId: number): Promise<number> {
  const nowMs = Date.now();
  const times = { nowMs, expiresAtMs: nowMs + 600_000 };
  const begun = { actorEpoch: 0, memberEpoch: 0, accountId: null, reason: 'A reason', mayWrite: false };
  return changeAccess(db, { members: [actorId, memberId] }, (tx) =>
    insertImpersonation(tx, { actorId, memberId, ...begun, ...times }, () => randomId(32)),
  );
}

/** A recovery that somebody else opened. */
async function insertTestRecovery(
  db: Database,
  { memberId, needsApproval }: { memberId: number; needsApproval: boolean },
): Promise<number> {
  const openedAtMs = Date.now();
  const times = { openedAtMs, effectiveAtMs: openedAtMs + 86_400_000 };
  await insertRecovery(db, {
    memberId,
    openedById: 1,
    reason: 'The phone was lost',
    needsApproval,
    ...times,
  });
  return (await findOpenRecovery(db, memberId))?.id ?? 0;
}

async function withEndpointOfPartner({ db, service, partner }: Parameters<GuardedCall['make']>[0]) {
  const made = await insertTestEndpoint(db, service.services, scopeOfPartner(partner.id));
  return { partnerId: partner.id, ...made };
}

/** Of a connection by which staff sign in. */
const OF_PLATFORM = { accountId: PLATFORM, domains: ['works.example'] };

/** Every guarded procedure that writes, and every REST read with a body. */
export const GUARDED_CALLS: Readonly<Record<string, GuardedCall>> = {
  ...SHARED_CALLS,
  'account.remove': {
    as: 'root',
    rest: '/deleteAccount',
    make: ({ accountId }) => ({ input: { accountId } }),
  },
  'account.restore': {
    as: 'root',
    make: async ({ db, accountId, subject }) => {
      const nowMs = Date.now();
      await changeAccess(db, { members: [subject.id], accounts: [accountId] }, async (tx) => {
        await setMembership(tx, { memberId: subject.id, accountId, roleType: 1, nowMs });
        await setAccountOwner(tx, { accountId, ownerId: subject.id, expectedOwnerId: 1, nowMs });
        await shutAccount(tx, { accountId, closedById: 1, erasesAtMs: nowMs + 86_400_000, nowMs });
      });
      return { input: { accountId, reason: 'why' } };
    },
  },
  'account.transferOwnership': {
    as: 'root',
    make: async ({ db, accountId, subject }) => {
      await proveTestMember(db, subject);
      return { input: { accountId, memberId: subject.id, reason: 'why' } };
    },
  },
  'recovery.open': {
    as: 'root',
    make: async ({ db, subject }) => {
      await confirmTestMember(db, subject);
      return { input: { memberId: subject.id, reason: 'The phone was lost' } };
    },
  },
  'recovery.approve': {
    as: 'root',
    make: async ({ db, subject }) => ({
      input: { recoveryId: await insertTestRecovery(db, { memberId: subject.id, needsApproval: true }) },
    }),
  },
  'recovery.cancel': {
    as: 'root',
    make: async ({ db, subject }) => ({
      input: { recoveryId: await insertTestRecovery(db, { memberId: subject.id, needsApproval: false }) },
    }),
  },
  'affiliate.save': {
    as: 'manager',
    rest: '/addOrUpdateAffiliateDetails',
    make: ({ subject }) => ({
      input: {
        memberId: subject.id,
        code: randomId(),
        commissionPercent: 5,
        payoutEmail: 'payout@many.test',
      },
    }),
  },
  'impersonation.end': {
    as: 'staff',
    make: async ({ db, caller, subject }) => ({
      input: { impersonationId: await insertTestImpersonation(db, caller.id, subject.id) },
    }),
  },
  'impersonation.start': {
    as: 'manager',
    make: ({ subject, accountId }) => ({
      input: { memberId: subject.id, accountId, reason: 'They cannot see their invoices' },
    }),
  },
  'invitation.create': {
    as: 'manager',
    make: async ({ db, caller }) => {
      await confirmTestMember(db, caller);
      return { input: { email: `${randomId()}@many.test`, roleType: 5 } };
    },
  },
  'invitation.resend': {
    as: 'manager',
    make: async ({ db, caller, accountId }) => ({
      input: { invitationId: await insertTestInvitation(db, { accountId, inviterId: caller.id }) },
    }),
  },
  'invitation.revoke': {
    as: 'manager',
    make: async ({ db, caller, accountId }) => ({
      input: { invitationId: await insertTestInvitation(db, { accountId, inviterId: caller.id }) },
    }),
  },
  'role.remove': {
    as: 'rootInAccount',
    make: async ({ db, accountId }) => {
      const at = { createdAtMs: 1, updatedAtMs: 1 };
      const named = { name: 'Unused', nameKey: 'unused', roleType: 5, permissions: ['account.read'] };
      return {
        input: { customRoleId: await db.insert(db.tables.customRoles, { accountId, ...named, ...at }) },
      };
    },
  },
  'role.save': {
    as: 'rootInAccount',
    make: () => ({ input: { name: randomId(), roleType: 5, permissions: ['account.read'] } }),
  },
  'export.begin': {
    as: 'staff',
    make: () => ({ input: { list: 'member.search', filters: { search: 'a' } } }),
  },
  'knowledge.analyze': {
    as: 'manager',
    rest: '/analyzeKnowledge',
    make: ({ accountId }) => ({
      input: { accountId, languageModelId: 'model', topic: 'topic' },
      body: { AccountId: accountId, languageModelId: 'model', topic: 'topic' },
    }),
  },
  'mail.retry': {
    as: 'manager',
    make: async ({ db, subject }) => {
      const nowMs = Date.now();
      const mailId = await db.insert(db.tables.mailOutbox, {
        idempotencyKey: randomId(),
        kind: 'activation',
        memberId: subject.id,
        recipient: subject.email,
        subject: 'Hello',
        text: 'sealed',
        html: 'sealed',
        state: 'dead',
        attempts: 8,
        dueAtMs: nowMs,
        lastError: 'refused',
        createdAtMs: nowMs,
      });
      return { input: { mailId } };
    },
  },
  'member.ban': { as: 'manager', make: ({ subject }) => ({ input: { memberId: subject.id } }) },
  'member.remove': {
    as: 'root',
    rest: '/deleteUser',
    make: ({ subject }) => ({ input: { memberId: subject.id }, body: { userId: subject.id } }),
  },
  'member.restore': {
    as: 'root',
    make: async ({ db, subject }) => {
      const nowMs = Date.now();
      await changeAccess(db, { members: [subject.id] }, (tx) =>
        removeMember(tx, { memberId: subject.id, deletedById: 1, nowMs }),
      );
      return { input: { memberId: subject.id, reason: 'why' } };
    },
  },
  'member.sendConfirmation': {
    as: 'manager',
    make: async ({ db, accountId }) => {
      const { id } = await insertTestMember(db, { memberships: { [accountId]: 5 } });
      return { input: { memberId: id } };
    },
  },
  'member.sendReset': { as: 'manager', make: ({ subject }) => ({ input: { memberId: subject.id } }) },
  'member.unban': {
    as: 'manager',
    make: async ({ db, subject }) => {
      const ban = { roleType: 5, role: 'User Member', untilMs: null, reason: null, bannedById: 1 };
      await changeAccess(db, { members: [subject.id] }, (tx) =>
        setBan(unsettled(tx), { ...ban, memberId: subject.id, nowMs: Date.now() }),
      );
      return { input: { memberId: subject.id } };
    },
  },
  'member.unlock': { as: 'manager', make: ({ subject }) => ({ input: { memberId: subject.id } }) },
  'member.update': {
    as: 'manager',
    rest: '/updateUser',
    make: ({ subject }) => ({
      input: { memberId: subject.id, firstName: 'Another' },
      body: { id: subject.id, fName: 'Another' },
    }),
  },
  'membership.remove': {
    as: 'manager',
    make: ({ subject, accountId }) => ({ input: { memberId: subject.id, accountId } }),
  },
  'membership.save': {
    as: 'manager',
    make: ({ subject, accountId }) => ({
      input: { memberId: subject.id, accountId, roleType: 5, active: false },
    }),
  },
  'partner.deactivate': { as: 'root', make: ({ partner }) => ({ input: { partnerId: partner.id } }) },
  'partner.finishRotation': { as: 'root', make: ({ partner }) => ({ input: { partnerId: partner.id } }) },
  'partner.rotateSecret': { as: 'root', make: ({ partner }) => ({ input: { partnerId: partner.id } }) },
  'partner.save': {
    as: 'root',
    make: () => ({ input: { name: `partner-${randomId()}`, appUrl: 'https://app.partner.test' } }),
  },
  'personnel.promote': {
    as: 'root',
    rest: '/NewAccManager',
    make: ({ subject }) => ({ input: { memberId: subject.id } }),
  },
  'personnel.reinvite': {
    as: 'root',
    make: async ({ db }) => {
      const { id } = await insertTestMember(db, {
        roleType: 6,
        isPersonnel: true,
        isProven: false,
        withSession: false,
      });
      return { input: { personnelId: id } };
    },
  },
  'personnel.save': {
    as: 'root',
    rest: '/addOrUpdatePersonnel',
    make: () => {
      const person = { email: `${randomId()}@many.test`, firstName: 'New', lastName: 'Colleague' };
      return { input: { ...person, roleType: 6 }, body: { ...person, role_type: 6 } };
    },
  },
  'key.create': {
    as: 'root',
    make: async ({ db, caller }) => {
      const machineId = await insertTestMachine(db, { accountId: null, createdById: caller.id });
      return { input: { machineId, name: 'Nightly', scopes: ['audit.read'] } };
    },
  },
  'key.revoke': {
    as: 'root',
    make: async ({ db, caller }) => ({
      input: { keyId: await insertTestKey(db, { accountId: null, createdById: caller.id }) },
    }),
  },
  'key.rotate': {
    as: 'root',
    make: async ({ db, caller }) => ({
      input: { keyId: await insertTestKey(db, { accountId: null, createdById: caller.id }) },
    }),
  },
  'machine.remove': {
    as: 'root',
    make: async ({ db, caller }) => ({
      input: { machineId: await insertTestMachine(db, { accountId: null, createdById: caller.id }) },
    }),
  },
  'machine.save': { as: 'root', make: () => ({ input: { name: 'Importer' } }) },
  'staffSso.activate': {
    as: 'root',
    make: async ({ db, caller }) => {
      const { id } = await insertTestSso(db, { ...OF_PLATFORM, createdById: caller.id, isLive: false });
      return { input: { connectionId: id } };
    },
  },
  'staffSso.remove': {
    as: 'root',
    make: async ({ db, caller }) => {
      const { id } = await insertTestSso(db, { ...OF_PLATFORM, createdById: caller.id });
      return { input: { connectionId: id } };
    },
  },
  'staffSso.saveOidc': {
    as: 'root',
    make: async ({ db, caller }) => {
      const { id } = await insertTestSso(db, { ...OF_PLATFORM, createdById: caller.id });
      return { input: { connectionId: id, name: 'Works', clientSecret: randomId() } };
    },
  },
  'staffSso.saveSaml': {
    as: 'root',
    make: async ({ db }) => {
      await removePlatformSso(db);
      return { input: { name: 'Works', metadataXml: testMetadata(), domains: ['works.example'] } };
    },
  },
  'staffSso.test': {
    as: 'root',
    make: async ({ db, caller }) => {
      const { id } = await insertTestSso(db, { ...OF_PLATFORM, createdById: caller.id });
      return { input: { connectionId: id } };
    },
  },
  'platformApp.addSecret': {
    as: 'root',
    make: async ({ db, caller }) => {
      const { applicationId } = await insertTestApplication(db, { accountId: null, createdById: caller.id });
      return { input: { applicationId } };
    },
  },
  'platformApp.block': {
    as: 'root',
    make: async ({ db, caller, accountId }) => {
      const { applicationId } = await insertTestApplication(db, { accountId, createdById: caller.id });
      return { input: { accountId, applicationId, blocked: true } };
    },
  },
  'platformApp.blockHost': {
    as: 'root',
    make: () => ({ input: { host: 'agent.example.com', blocked: true } }),
  },
  'platformApp.remove': {
    as: 'root',
    make: async ({ db, caller }) => {
      const { applicationId } = await insertTestApplication(db, { accountId: null, createdById: caller.id });
      return { input: { applicationId } };
    },
  },
  'platformApp.removeSecret': {
    as: 'root',
    make: async ({ db, caller }) => ({
      input: await insertTestApplication(db, { accountId: null, createdById: caller.id }),
    }),
  },
  'platformApp.save': {
    as: 'root',
    make: () => ({
      input: { name: 'Wiki', type: 'web', redirectUris: ['https://wiki.example.com/callback'] },
    }),
  },
  'resource.remove': {
    as: 'root',
    make: async ({ db }) => {
      const origin = `https://${randomId()}.many.test`;
      const row = {
        origin,
        name: 'Invoices',
        ttlSeconds: 60,
        machineId: null,
        applicationTokens: 'opaque',
        nowMs: Date.now(),
      } as const;
      return { input: { resourceId: await insertResource(db, row) } };
    },
  },
  'resource.save': {
    as: 'root',
    make: () => ({ input: { origin: `https://${randomId()}.many.test`, name: 'Invoices' } }),
  },
  'eventDelivery.redeliver': {
    as: 'root',
    make: async ({ db, service }) => {
      const { deliveryId } = await insertTestEndpoint(db, service.services, DEPLOYMENT);
      return { input: { ids: [deliveryId] } };
    },
  },
  'eventEndpoint.remove': {
    as: 'root',
    make: async ({ db, service }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, DEPLOYMENT);
      return { input: { endpointId } };
    },
  },
  'eventEndpoint.resume': {
    as: 'root',
    make: async ({ db, service }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, DEPLOYMENT);
      return { input: { endpointId, from: 'now' } };
    },
  },
  'eventEndpoint.rotateSecret': {
    as: 'root',
    make: async ({ db, service }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, DEPLOYMENT);
      return { input: { endpointId } };
    },
  },
  'eventEndpoint.save': {
    as: 'root',
    make: async ({ db }) => {
      await removeOlderEndpoints(db);
      return { input: { url: CLOSED_ENDPOINT, types: ['member.*'] } };
    },
  },
  'eventEndpoint.test': {
    as: 'root',
    make: async ({ db, service }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, DEPLOYMENT);
      return { input: { endpointId } };
    },
  },
  'partnerEvent.redeliver': {
    as: 'root',
    make: async (scene) => {
      const { partnerId, deliveryId } = await withEndpointOfPartner(scene);
      return { input: { partnerId, ids: [deliveryId] } };
    },
  },
  'partnerEvent.removeEndpoint': {
    as: 'root',
    make: async (scene) => {
      const { partnerId, endpointId } = await withEndpointOfPartner(scene);
      return { input: { partnerId, endpointId } };
    },
  },
  'partnerEvent.resumeEndpoint': {
    as: 'root',
    make: async (scene) => {
      const { partnerId, endpointId } = await withEndpointOfPartner(scene);
      return { input: { partnerId, endpointId, from: 'now' } };
    },
  },
  'partnerEvent.rotateSecret': {
    as: 'root',
    make: async (scene) => {
      const { partnerId, endpointId } = await withEndpointOfPartner(scene);
      return { input: { partnerId, endpointId } };
    },
  },
  'partnerEvent.saveEndpoint': {
    as: 'root',
    make: ({ partner }) => ({
      input: { partnerId: partner.id, url: CLOSED_ENDPOINT, types: ['member.*'] },
    }),
  },
  'partnerEvent.testEndpoint': {
    as: 'root',
    make: async (scene) => {
      const { partnerId, endpointId } = await withEndpointOfPartner(scene);
      return { input: { partnerId, endpointId } };
    },
  },
  'profile.update': {
    as: 'staff',
    rest: '/updateProfile',
    make: () => ({ input: { firstName: 'Another' } }),
  },
  'session.endFor': { as: 'manager', make: ({ subject }) => ({ input: { memberId: subject.id } }) },
  'subscription.extendTrial': {
    as: 'root',
    make: ({ accountId }) => ({
      input: { accountId, until: new Date(Date.now() + 30 * 86_400_000).toISOString(), reason: 'why' },
    }),
  },
  // The provider does not know the subscription, so it is corrected.
  'subscription.reconcile': {
    as: 'root',
    make: async ({ db, accountId }) => {
      const nowMs = Date.now();
      await db.insert(db.tables.billingSubscriptions, {
        provider: 'stripe',
        subscriptionId: `sub_${randomId()}`,
        customerId: `cus_${randomId()}`,
        accountId,
        facts: {},
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      });
      return { input: { accountId } };
    },
  },
  'webhook.replay': {
    as: 'root',
    make: async ({ db }) => {
      const id = await db.insert(db.tables.webhookLog, {
        provider: 'stripe',
        endpoint: 'stripe',
        eventId: randomId(),
        dedupeKey: randomId(),
        type: 'test',
        body: '{}',
        bodyBytes: 2,
        digest: randomId(32),
        status: 'ignored',
        address: '127.0.0.1',
        receivedAtMs: Date.now(),
      });
      return { input: { id } };
    },
  },
  'account.list': { as: 'manager', type: 'query', rest: '/getAccountsList', make: () => ({ input: {} }) },
  'account.names': { as: 'manager', type: 'query', rest: '/getAccountNameList', make: () => ({ input: {} }) },
  'account.search': {
    as: 'manager',
    type: 'query',
    rest: '/searchAccountUser',
    make: () => ({ input: { search: 'a' } }),
  },
  'affiliate.search': {
    as: 'manager',
    type: 'query',
    rest: '/searchAffiliatePeople',
    make: () => ({ input: { search: 'a' } }),
  },
  'member.search': {
    as: 'manager',
    type: 'query',
    rest: '/searchUser',
    make: () => ({ input: { search: 'a' } }),
  },
  'personnel.searchManagers': {
    as: 'staff',
    type: 'query',
    rest: '/searchAccountManagers',
    make: () => ({ input: { search: 'a' } }),
  },
};

/** Calls with an existing subject: changing a colleague is a different action from adding one. */
export const CHANGES_OF_STAFF: Readonly<Record<string, GuardedCall>> = {
  'personnel.save': {
    as: 'root',
    rest: '/addOrUpdatePersonnel',
    make: async ({ db, accountId }) => {
      const { id } = await insertTestMember(db, { roleType: 6, isPersonnel: true });
      return { input: { personnelId: id, accountIds: [accountId], roleType: 5, active: false } };
    },
  },
  'session.endFor': {
    as: 'manager',
    make: async ({ db, subject }) => {
      const rows = await db.select().from(db.tables.sessions);
      const sessionId = rows.find(({ memberId }) => memberId === subject.id)?.id ?? 0;
      return { input: { memberId: subject.id, sessionId } };
    },
  },
  'session.endMany': {
    as: 'member',
    make: async ({ db, caller, accountId }) => {
      const { sessions } = db.tables;
      const nowMs = Date.now();
      const sessionId = await db.insert(sessions, {
        tokenKey: randomId(32),
        memberId: caller.id,
        kind: 'session',
        epoch: 0,
        device: `of ${accountId}`,
        address: '127.0.0.1',
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        expiresAtMs: nowMs + 3_600_000,
      });
      return { input: { sessionId } };
    },
  },
};

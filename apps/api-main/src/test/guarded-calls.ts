import { dummyHash, randomId } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { confirmAddress, setPendingAddress } from '@gatehouse/db/queries/pending-addresses';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { insertResource } from '@gatehouse/db/queries/resources';
import { takeMemberOver } from '@gatehouse/db/queries/take-member-over';
import { scopeOf, scopeOfPartner } from '@gatehouse/features/endpoint/endpoint-scope';
import { CLOSED_ENDPOINT, insertTestEndpoint } from '@gatehouse/features/test/insert-test-endpoint';
import { insertTestScimToken } from '@gatehouse/features/test/insert-test-scim-token';
import {
  confirmTestMember,
  insertTestAccount,
  insertTestInvitation,
} from '@gatehouse/features/test/invitations';
import { testMetadata } from '@gatehouse/features/test/saml-identity-provider';
import { insertTestApplication, insertTestConsent } from '@gatehouse/features/test/test-applications';
import { insertTestKey, insertTestMachine } from '@gatehouse/features/test/test-machines';
import { insertTestDomain, insertTestSso, insertTestSubject } from '@gatehouse/features/test/test-sso';
import { type GuardedCall, insertTestMember, SHARED_CALLS } from '@gatehouse/testkit';

function withEndpointOfPartner({ db, service, partner }: Parameters<GuardedCall['make']>[0]) {
  return insertTestEndpoint(db, service.services, scopeOfPartner(partner.id));
}

/** Every guarded procedure that writes, and every REST read with a body. */
export const GUARDED_CALLS: Readonly<Record<string, GuardedCall>> = {
  ...SHARED_CALLS,
  'billing.checkout': { as: 'owner', make: () => ({ input: { plan: 'team' } }) },
  'billing.portal': {
    as: 'owner',
    make: async ({ db, accountId }) => {
      const nowMs = Date.now();
      await db.insert(db.tables.billingCustomers, {
        provider: 'stripe',
        customerId: `cus_${randomId()}`,
        accountId,
        createdAtMs: nowMs,
        updatedAtMs: nowMs,
      });
      return { input: {} };
    },
  },
  'invitation.accept': {
    as: 'member',
    make: async ({ db, caller }) => {
      const accountId = await insertTestAccount(db);
      const inviter = await insertTestMember(db, { memberships: { [accountId]: 1 } });
      await confirmTestMember(db, caller);
      const invitationId = await insertTestInvitation(db, {
        accountId,
        inviterId: inviter.id,
        email: caller.email,
      });
      return { input: { invitationId } };
    },
  },
  'invitation.create': {
    as: 'accountManager',
    make: async ({ db, caller }) => {
      await confirmTestMember(db, caller);
      return { input: { email: `${randomId()}@many.test`, roleType: 5 } };
    },
  },
  'invitation.resend': {
    as: 'accountManager',
    make: async ({ db, caller, accountId }) => {
      await confirmTestMember(db, caller);
      return { input: { invitationId: await insertTestInvitation(db, { accountId, inviterId: caller.id }) } };
    },
  },
  'key.create': {
    as: 'owner',
    isConfirmed: true,
    make: async ({ db, caller, accountId }) => {
      const machineId = await insertTestMachine(db, { accountId, createdById: caller.id });
      return { input: { machineId, name: 'Nightly', scopes: ['account.read'] } };
    },
  },
  'key.revoke': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => ({
      input: { keyId: await insertTestKey(db, { accountId, createdById: caller.id }) },
    }),
  },
  'key.rotate': {
    as: 'owner',
    isConfirmed: true,
    make: async ({ db, caller, accountId }) => ({
      input: { keyId: await insertTestKey(db, { accountId, createdById: caller.id }) },
    }),
  },
  'consent.withdraw': {
    as: 'member',
    make: async ({ db, caller }) => ({
      input: { consentId: await insertTestConsent(db, { memberId: caller.id }) },
    }),
  },
  'consent.withdrawInAccount': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => ({
      input: { consentId: await insertTestConsent(db, { memberId: caller.id, accountId }) },
    }),
  },
  'app.addSecret': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => {
      const { applicationId } = await insertTestApplication(db, { accountId, createdById: caller.id });
      return { input: { applicationId } };
    },
  },
  'app.remove': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => {
      const { applicationId } = await insertTestApplication(db, { accountId, createdById: caller.id });
      return { input: { applicationId } };
    },
  },
  'app.removeSecret': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => ({
      input: await insertTestApplication(db, { accountId, createdById: caller.id }),
    }),
  },
  'app.save': {
    as: 'owner',
    make: () => ({
      input: { name: 'Wiki', type: 'spa', redirectUris: ['https://wiki.example.com/callback'] },
    }),
  },
  'sso.activate': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => {
      const { id } = await insertTestSso(db, { accountId, createdById: caller.id, isLive: false });
      return { input: { connectionId: id } };
    },
  },
  'sso.consent': {
    as: 'member',
    make: async ({ db, caller, accountId }) => {
      const of = { accountId, createdById: caller.id };
      await insertTestSubject(db, { ...of, memberId: caller.id });
      return { input: { accountId } };
    },
  },
  'sso.setPolicy': { as: 'owner', make: () => ({ input: { required: false, exempt: [] } }) },
  'sso.test': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => {
      const { id } = await insertTestSso(db, { accountId, createdById: caller.id });
      return { input: { connectionId: id } };
    },
  },
  'sso.addDomain': { as: 'owner', make: () => ({ input: { domain: `${randomId(4)}.example` } }) },
  'sso.remove': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => {
      const { id } = await insertTestSso(db, { accountId, createdById: caller.id });
      return { input: { connectionId: id } };
    },
  },
  'sso.removeDomain': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => ({
      input: { domainId: await insertTestDomain(db, { accountId, createdById: caller.id }) },
    }),
  },
  'sso.saveOidc': {
    as: 'owner',
    make: () => ({
      input: {
        name: 'Acme',
        issuer: 'http://127.0.0.1:4999',
        clientId: 'gatehouse',
        clientSecret: randomId(),
      },
    }),
  },
  'sso.saveSaml': {
    as: 'owner',
    make: () => ({ input: { name: 'Acme', metadataXml: testMetadata() } }),
  },
  'sso.verifyDomain': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => ({
      input: { domainId: await insertTestDomain(db, { accountId, createdById: caller.id }) },
    }),
  },
  'machine.remove': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => ({
      input: { machineId: await insertTestMachine(db, { accountId, createdById: caller.id }) },
    }),
  },
  'machine.save': { as: 'owner', make: () => ({ input: { name: 'Importer', roleType: 5 } }) },
  'invitation.revoke': {
    as: 'accountManager',
    make: async ({ db, caller, accountId }) => ({
      input: { invitationId: await insertTestInvitation(db, { accountId, inviterId: caller.id }) },
    }),
  },
  'partner.registerUser': {
    as: 'partner',
    rest: '/partnerAuth/registerUser',
    make: () => ({ input: { email: `${randomId()}@many.test`, firstName: 'New', lastName: 'Member' } }),
  },
  'takeover.decide': {
    as: 'member',
    make: async ({ db, caller }) => {
      const accountId = await insertTestAccount(db, caller.id);
      const { id: memberId } = await insertTestMember(db);
      const at = { createdAtMs: 1, updatedAtMs: 1 };
      const held = { roleType: 5, active: false, heldSinceMs: 1, ...at };
      const membershipId = await db.insert(db.tables.memberships, { memberId, accountId, ...held });
      return { input: { membershipId, keep: true } };
    },
  },
  'partner.signIn': {
    as: 'member',
    rest: '/partnerAuth/partnerSignIn',
    make: ({ partner }) => ({ input: { partner: partner.id } }),
  },
  'partner.singleSignOn': {
    as: 'partner',
    rest: '/partnerAuth/singleSignOn',
    make: ({ subject }) => ({ input: { userId: subject.id } }),
  },
  'email.change': {
    as: 'member',
    rest: '/v1/email/change',
    make: () => ({ input: { email: `${randomId()}@many.test` } }),
  },
  'email.resend': {
    as: 'member',
    make: async ({ db, caller }) => {
      const email = `${randomId()}@many.test`;
      const pending = { memberId: caller.id, email, emailKey: email, nowMs: Date.now() };
      await changeAccess(db, { members: [caller.id] }, (tx) =>
        setPendingAddress(tx, { ...pending, awaits: 'new' }),
      );
      return { input: {} };
    },
  },
  'password.set': {
    as: 'member',
    rest: '/v1/password/set',
    make: async ({ db, caller }) => {
      const nowMs = Date.now();
      const { id: memberId, tokenKey, expiresAtMs } = caller;
      const device = { device: 'test', address: '127.0.0.1', partnerId: null };
      const level = { verifiedLevel: 1, level: 1, amr: 'pwd', authTimeMs: nowMs };
      const session = { kind: 'session', ...device, ...level } as const;
      await changeAccess(db, { members: [memberId] }, async (tx) => {
        await confirmAddress(tx, { memberId, emailKey: caller.email, nowMs });
        await takeMemberOver(tx, {
          memberId,
          password: dummyHash,
          hasPassword: false,
          lockedAccounts: [],
          keep: { tokenKey, expiresAtMs, verifiedAtMs: nowMs, ...session },
          nowMs,
        });
      });
      return { input: { newPassword: 'Copper-Meadow-17' } };
    },
  },
  'member.deleteOwn': { as: 'member', rest: '/v1/member/deleteOwn', make: () => ({ input: {} }) },
  'scim.addToken': { as: 'owner', isConfirmed: true, make: async () => ({ input: { name: 'Directory' } }) },
  'scim.removeToken': {
    as: 'owner',
    make: async ({ db, caller, accountId }) => {
      const { id } = await insertTestScimToken(db, { accountId, createdById: caller.id });
      return { input: { tokenId: id } };
    },
  },
  'session.accessToken': {
    as: 'member',
    make: async ({ db }) => {
      const origin = `https://${randomId()}.many.test`;
      await insertResource(db, {
        origin,
        name: 'Invoices',
        ttlSeconds: 60,
        machineId: null,
        applicationTokens: 'opaque',
        nowMs: Date.now(),
      });
      return { input: { audience: origin } };
    },
  },
  'eventDelivery.redeliver': {
    as: 'owner',
    make: async ({ db, service, accountId }) => {
      const { deliveryId } = await insertTestEndpoint(db, service.services, scopeOf(accountId));
      return { input: { ids: [deliveryId] } };
    },
  },
  'eventEndpoint.remove': {
    as: 'owner',
    make: async ({ db, service, accountId }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, scopeOf(accountId));
      return { input: { endpointId } };
    },
  },
  'eventEndpoint.resume': {
    as: 'owner',
    make: async ({ db, service, accountId }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, scopeOf(accountId));
      return { input: { endpointId, from: 'now' } };
    },
  },
  'eventEndpoint.rotateSecret': {
    as: 'owner',
    make: async ({ db, service, accountId }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, scopeOf(accountId));
      return { input: { endpointId } };
    },
  },
  'eventEndpoint.save': {
    as: 'owner',
    make: () => ({ input: { url: CLOSED_ENDPOINT, types: ['member.*'] } }),
  },
  'eventEndpoint.test': {
    as: 'owner',
    make: async ({ db, service, accountId }) => {
      const { endpointId } = await insertTestEndpoint(db, service.services, scopeOf(accountId));
      return { input: { endpointId } };
    },
  },
  'partnerEvent.deliveryDetail': {
    as: 'partner',
    type: 'query',
    rest: '/partnerAuth/events/deliveryDetail',
    make: async (scene) => ({ input: { deliveryId: (await withEndpointOfPartner(scene)).deliveryId } }),
  },
  'partnerEvent.listDeliveries': {
    as: 'partner',
    type: 'query',
    rest: '/partnerAuth/events/listDeliveries',
    make: () => ({ input: {} }),
  },
  'partnerEvent.listEndpoints': {
    as: 'partner',
    type: 'query',
    rest: '/partnerAuth/events/listEndpoints',
    make: () => ({ input: {} }),
  },
  'partnerEvent.redeliver': {
    as: 'partner',
    rest: '/partnerAuth/events/redeliver',
    make: async (scene) => ({ input: { ids: [(await withEndpointOfPartner(scene)).deliveryId] } }),
  },
  'partnerEvent.removeEndpoint': {
    as: 'partner',
    rest: '/partnerAuth/events/removeEndpoint',
    make: async (scene) => ({ input: { endpointId: (await withEndpointOfPartner(scene)).endpointId } }),
  },
  'partnerEvent.resumeEndpoint': {
    as: 'partner',
    rest: '/partnerAuth/events/resumeEndpoint',
    make: async (scene) => ({
      input: { endpointId: (await withEndpointOfPartner(scene)).endpointId, from: 'now' },
    }),
  },
  'partnerEvent.rotateSecret': {
    as: 'partner',
    rest: '/partnerAuth/events/rotateSecret',
    make: async (scene) => ({ input: { endpointId: (await withEndpointOfPartner(scene)).endpointId } }),
  },
  'partnerEvent.saveEndpoint': {
    as: 'partner',
    rest: '/partnerAuth/events/saveEndpoint',
    make: () => ({ input: { url: CLOSED_ENDPOINT, types: ['member.*'] } }),
  },
  'partnerEvent.testEndpoint': {
    as: 'partner',
    rest: '/partnerAuth/events/testEndpoint',
    make: async (scene) => ({ input: { endpointId: (await withEndpointOfPartner(scene)).endpointId } }),
  },
  'profile.update': {
    as: 'member',
    rest: '/v1/profile/update',
    make: () => ({ input: { firstName: 'Changed' } }),
  },
  'account.close': {
    as: 'owner',
    make: async ({ db, accountId }) => ({
      input: { name: (await findAccount(db, accountId))?.name ?? '' },
    }),
  },
  'account.create': { as: 'member', isConfirmed: true, make: () => ({ input: { name: 'Another' } }) },
  'account.rename': { as: 'owner', make: () => ({ input: { name: `Other ${randomId()}` } }) },
  'account.restore': {
    as: 'member',
    make: async ({ db, caller }) => {
      const { accounts, memberships } = db.tables;
      const nowMs = Date.now();
      const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
      const closed = { isDeleted: true, closedById: caller.id, erasesAtMs: nowMs + 86_400_000 };
      const name = randomId();
      const accountId = await db.insert(accounts, {
        name,
        nameKey: name,
        ownerId: caller.id,
        ...closed,
        ...at,
      });
      await db.insert(memberships, { memberId: caller.id, accountId, roleType: 1, ...at });
      return { input: { accountId } };
    },
  },
  'account.transferOwnership': {
    as: 'owner',
    isConfirmed: true,
    make: ({ subject }) => ({ input: { memberId: subject.id } }),
  },
  'membership.changeRole': {
    as: 'accountManager',
    make: ({ subject }) => ({ input: { memberId: subject.id, roleType: 3 } }),
  },
  'membership.leave': { as: 'accountManager', make: () => ({ input: {} }) },
  'membership.remove': {
    as: 'accountManager',
    make: ({ subject }) => ({ input: { memberId: subject.id } }),
  },
  'role.remove': {
    as: 'owner',
    make: async ({ db, accountId }) => {
      const at = { createdAtMs: 1, updatedAtMs: 1 };
      const role = {
        accountId,
        name: 'Unused',
        nameKey: 'unused',
        roleType: 5,
        permissions: ['account.read'],
      };
      return { input: { customRoleId: await db.insert(db.tables.customRoles, { ...role, ...at }) } };
    },
  },
  'role.save': {
    as: 'owner',
    make: () => ({ input: { name: randomId(), roleType: 5, permissions: ['account.read'] } }),
  },
  'subject.remove': {
    as: 'accountManager',
    rest: '/RemoveSubject',
    make: async ({ db, accountId }) => {
      const subjectId = await db.insert(db.tables.subjects, {
        accountId,
        name: 'A subject',
        createdAtMs: Date.now(),
      });
      return { input: { subjectId } };
    },
  },
  'account.search': {
    as: 'member',
    type: 'query',
    rest: '/searchAccountUser',
    make: () => ({ input: { search: 'a' } }),
  },
  'conversation.messages': {
    as: 'accountManager',
    type: 'query',
    rest: '/getMemberschatMessages',
    make: async ({ db, accountId, caller }) => {
      const { conversations, participants } = db.tables;
      const nowMs = Date.now();
      const conversationId = await db.insert(conversations, {
        accountId,
        title: 'A conversation',
        createdAtMs: nowMs,
      });
      await db.insert(participants, { conversationId, memberId: caller.id, joinedAtMs: nowMs });
      return { input: { memberId: caller.id, conversationId } };
    },
  },
  'member.search': {
    as: 'accountManager',
    type: 'query',
    rest: '/searchAllMembers',
    make: ({ subject }) => ({ input: { username: subject.email.slice(0, subject.email.indexOf('@')) } }),
  },
  'subscription.list': {
    as: 'manager',
    type: 'query',
    rest: '/subscriptionList',
    make: () => ({ input: {} }),
  },
};

// @module-tag slow

import { readFileSync } from 'node:fs';
import { removeOldEvents, sequenceEvents } from '@gatehouse/db/queries/events';
import { scopeOf } from '@gatehouse/features/endpoint/endpoint-scope';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { CLOSED_ENDPOINT, insertTestEndpoint } from '@gatehouse/features/test/insert-test-endpoint';
import { insertTestScimToken } from '@gatehouse/features/test/insert-test-scim-token';
import { insertTestInvitation, linkOf } from '@gatehouse/features/test/invitations';
import {
  PASSWORD,
  type PeopleWorld,
  startPeopleWorld,
  TRANSPORTS,
  type Transport,
} from '@gatehouse/features/test/people-world';
import { testMetadata } from '@gatehouse/features/test/saml-identity-provider';
import { insertTestApplication, insertTestConsent } from '@gatehouse/features/test/test-applications';
import { insertTestKey, insertTestMachine } from '@gatehouse/features/test/test-machines';
import { insertTestDomain, insertTestSso, insertTestSubject } from '@gatehouse/features/test/test-sso';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, type ProviderSimulator, startProviderSimulator } from '@gatehouse/simulator';
import { readOutbox, signIn, type TestMember } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { router } from './router.js';

/** The world of a case: services that sell plans, or one that sells none. */
interface Stage {
  readonly world: PeopleWorld;
  readonly bare: PeopleWorld;
  readonly simulator: ProviderSimulator;
}

interface Call {
  readonly input: object;
  readonly as: { readonly token?: string | undefined; readonly accountId?: number | undefined };
  readonly in?: PeopleWorld;
  /** How often it is called; the last answer is the result. */
  readonly times?: number;
  /** Whether the payment provider fails. */
  readonly isProviderDown?: boolean;
}

type Case = (stage: Stage) => Promise<Call> | Call;

const DAY_MS = 86_400_000;

const NOBODY = {};
const CONFIRMED = { isConfirmed: true } as const;

/** A member who owns a new account, and their call in it. */
async function owning(world: PeopleWorld) {
  const { id, name, owner } = await world.account();
  return { id, name, owner, as: { token: owner.token, accountId: id } };
}

async function within(world: PeopleWorld, accountId: number, role = 5): Promise<TestMember> {
  return world.member({ ...CONFIRMED, memberships: { [accountId]: role } });
}

async function idOf(answer: Promise<{ status: number; data: unknown }>): Promise<number> {
  const { status, data } = await answer;
  expect(status).toBe(200);
  return (data as { id: number }).id;
}

/** An invitation with its link. */
async function inviting(world: PeopleWorld, email?: string) {
  const { id: accountId, owner, as } = await owning(world);
  const invitation = { accountId, inviterId: owner.id, ...(email !== undefined && { email }) };
  const invitationId = await insertTestInvitation(world.db, invitation);
  return { accountId, owner, as, invitationId, token: await linkOf(world.service, invitationId) };
}

const newRole = { name: 'Reader', roleType: 5, permissions: ['account.read'] };

async function withRole({ world }: Stage) {
  const account = await owning(world);
  return { ...account, customRoleId: await idOf(world.call('role.save', newRole, account.as)) };
}

async function linkTo(world: PeopleWorld, kind: string, email: string): Promise<string> {
  const mails = await readOutbox(world.service);
  return mails.find((mail) => mail.kind === kind && mail.to === email)?.token ?? '';
}

/** The link that brings back somebody who has just deleted themselves. */
async function restoreLink(world: PeopleWorld): Promise<string> {
  const member = await world.member();
  await world.call('member.deleteOwn', {}, member);
  return linkTo(world, 'memberDeleted', member.email);
}

async function paying(world: PeopleWorld) {
  const account = await owning(world);
  const { id } = account;
  for (const [column, value] of [
    ['provider', 'stripe'],
    ['state', 'active'],
  ] as const)
    await changeColumn(world.db, { table: 'subscriptions', column, by: 'account_id', id }, value);
  return account;
}

const person = (name: string) => ({ username: name, password: 'Copper-Meadow-17' });
let people = 0;
const nextName = () => {
  people += 1;
  return `person-${people}`;
};

const newEndpoint = { url: CLOSED_ENDPOINT, types: ['member.*'] };

async function withEndpoint({ world }: Stage) {
  const account = await owning(world);
  return { ...account, ...(await insertTestEndpoint(world.db, world.service.services, scopeOf(account.id))) };
}

const unknownEndpoint =
  (input: object): Case =>
  async ({ world }) => ({ input: { endpointId: 999_999, ...input }, as: (await owning(world)).as });

const asOwner: Case = async ({ world }) => ({ input: {}, as: (await owning(world)).as });
const asMember: Case = async ({ world }) => ({ input: {}, as: await world.member() });

const newKey = { name: 'Nightly', scopes: ['account.read'] };
const withKey: Case = async ({ world }) => {
  const { owner, id: accountId, as } = await owning(world);
  return { input: { keyId: await insertTestKey(world.db, { accountId, createdById: owner.id }) }, as };
};
const unknownKey: Case = async ({ world }) => ({ input: { keyId: 999_999 }, as: (await owning(world)).as });
const newApplication = {
  name: 'Wiki',
  type: 'spa',
  redirectUris: ['https://wiki.example.com/callback'],
};
async function withApplication({ world }: Stage) {
  const { owner, id: accountId, as } = await owning(world);
  return { ...(await insertTestApplication(world.db, { accountId, createdById: owner.id })), as };
}
const ofApplication: Case = async (stage) => {
  const { applicationId, as } = await withApplication(stage);
  return { input: { applicationId }, as };
};
const unknownApplication: Case = async ({ world }) => ({
  input: { applicationId: 999_999 },
  as: (await owning(world)).as,
});
const unknownMachine: Case = async ({ world }) => ({
  input: { ...newKey, machineId: 999_999 },
  as: (await owning(world)).as,
});

const ofDomain: Case = async ({ world }) => {
  const { owner, id: accountId, as } = await owning(world);
  return {
    input: { domainId: await insertTestDomain(world.db, { accountId, createdById: owner.id }) },
    as,
  };
};
const newConnection = {
  name: 'Acme',
  issuer: 'http://127.0.0.1:4999',
  clientId: 'gatehouse',
  clientSecret: 'Lantern-Harbor-42',
};
const unknownConnection: Case = async ({ world }) => ({
  input: { connectionId: 999_999 },
  as: (await owning(world)).as,
});
const unknownDomain: Case = async ({ world }) => ({
  input: { domainId: 999_999 },
  as: (await owning(world)).as,
});

/** A call of every procedure of people, accounts, members and payments that succeeds. */
const SERVED: Readonly<Record<string, Case>> = {
  'account.close': async ({ world }) => {
    const { name, as } = await owning(world);
    return { input: { name }, as };
  },
  'account.create': async ({ world }) => ({ input: { name: 'Mine' }, as: await world.member() }),
  'account.listMine': asMember,
  'account.rename': async ({ world }) => ({ input: { name: 'Other' }, as: (await owning(world)).as }),
  'account.restore': async ({ world }) => {
    const { id: accountId, name, owner, as } = await owning(world);
    await world.call('account.close', { name }, as);
    return { input: { accountId }, as: { token: owner.token } };
  },
  'account.transferOwnership': async ({ world }) => {
    const { id, as } = await owning(world);
    return { input: { memberId: (await within(world, id)).id }, as };
  },
  'audit.listOwn': asOwner,
  'event.catalogue': () => ({ input: {}, as: NOBODY }),
  'event.list': asOwner,
  'eventDelivery.detail': async (stage) => {
    const { as, deliveryId } = await withEndpoint(stage);
    return { input: { deliveryId }, as };
  },
  'eventDelivery.list': asOwner,
  'eventDelivery.redeliver': async (stage) => {
    const { as, deliveryId } = await withEndpoint(stage);
    return { input: { ids: [deliveryId] }, as };
  },
  'eventEndpoint.list': asOwner,
  'eventEndpoint.remove': async (stage) => {
    const { as, endpointId } = await withEndpoint(stage);
    return { input: { endpointId }, as };
  },
  'eventEndpoint.resume': async (stage) => {
    const { as, endpointId } = await withEndpoint(stage);
    return { input: { endpointId, from: 'lastDelivered' }, as };
  },
  'eventEndpoint.rotateSecret': async (stage) => {
    const { as, endpointId } = await withEndpoint(stage);
    return { input: { endpointId }, as };
  },
  'eventEndpoint.save': async ({ world }) => ({ input: newEndpoint, as: (await owning(world)).as }),
  'eventEndpoint.test': async (stage) => {
    const { as, endpointId } = await withEndpoint(stage);
    return { input: { endpointId }, as };
  },
  'billing.checkout': async ({ world }) => ({ input: { plan: 'team' }, as: (await owning(world)).as }),
  'billing.invoices': async ({ world }) => ({ input: {}, as: (await paying(world)).as }),
  'billing.plans': asOwner,
  'billing.portal': async ({ world }) => {
    const { as } = await owning(world);
    await world.call('billing.checkout', { plan: 'team' }, as);
    return { input: {}, as };
  },
  'email.approvalDetails': async ({ world }) => {
    const member = await world.member();
    await world.call('email.change', { email: `${nextName()}@moved.test` }, member);
    return { input: { token: await linkTo(world, 'addressApproval', member.email) }, as: NOBODY };
  },
  'email.approve': async ({ world }) => {
    const member = await world.member();
    await world.call('email.change', { email: `${nextName()}@moved.test` }, member);
    return {
      input: { token: await linkTo(world, 'addressApproval', member.email), approve: true },
      as: NOBODY,
    };
  },
  'email.change': async ({ world }) => ({
    input: { email: `${nextName()}@moved.test` },
    as: await world.member(),
  }),
  'email.resend': async ({ world }) => {
    const member = await world.member();
    await world.call('email.change', { email: `${nextName()}@moved.test` }, member);
    return { input: {}, as: member };
  },
  'invitation.accept': async ({ world }) => {
    const member = await world.member();
    return { input: { token: (await inviting(world, member.email)).token }, as: member };
  },
  'invitation.create': async ({ world }) => ({
    input: { email: `${nextName()}@new.test`, roleType: 5 },
    as: (await owning(world)).as,
  }),
  'invitation.decline': async ({ world }) => ({
    input: { token: (await inviting(world)).token },
    as: NOBODY,
  }),
  'invitation.join': async ({ world }) => ({
    input: { token: (await inviting(world)).token, ...person(nextName()) },
    as: NOBODY,
  }),
  'invitation.list': asOwner,
  'invitation.listMine': asMember,
  'invitation.preview': async ({ world }) => ({
    input: { token: (await inviting(world)).token },
    as: NOBODY,
  }),
  'invitation.resend': async ({ world }) => {
    const { invitationId, as } = await inviting(world);
    return { input: { invitationId }, as };
  },
  'invitation.revoke': async ({ world }) => {
    const { invitationId, as } = await inviting(world);
    return { input: { invitationId }, as };
  },
  'key.create': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    const machineId = await insertTestMachine(world.db, { accountId, createdById: owner.id });
    return { input: { ...newKey, machineId }, as };
  },
  'key.list': asOwner,
  'scim.addToken': async ({ world }) => {
    const { as } = await owning(world);
    return { input: { name: 'Directory' }, as };
  },
  'scim.listTokens': asOwner,
  'scim.log': asOwner,
  'scim.removeToken': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    const { id } = await insertTestScimToken(world.db, { accountId, createdById: owner.id });
    return { input: { tokenId: id }, as };
  },
  'key.reportLeaked': () => ({ input: { key: 'gthk_' }, as: NOBODY }),
  'key.revoke': withKey,
  'key.rotate': withKey,
  'consent.applications': asMember,
  'consent.withdraw': async ({ world }) => {
    const as = await world.member();
    return { input: { consentId: await insertTestConsent(world.db, { memberId: as.id }) }, as };
  },
  'consent.listInAccount': asOwner,
  'consent.withdrawInAccount': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    return {
      input: { consentId: await insertTestConsent(world.db, { memberId: owner.id, accountId }) },
      as,
    };
  },
  'app.addSecret': ofApplication,
  'app.detail': ofApplication,
  'app.list': asOwner,
  'app.remove': ofApplication,
  'app.removeSecret': async (stage) => {
    const { as, ...input } = await withApplication(stage);
    return { input, as };
  },
  'app.save': async ({ world }) => ({ input: newApplication, as: (await owning(world)).as }),
  'sso.activate': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    const { id } = await insertTestSso(world.db, { accountId, createdById: owner.id, isLive: false });
    return { input: { connectionId: id }, as };
  },
  'sso.consent': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    await insertTestSubject(world.db, { accountId, createdById: owner.id, memberId: owner.id });
    return { input: { accountId }, as };
  },
  'sso.discover': async () => ({ input: { email: 'ada@acme.example' }, as: {} }),
  'sso.setPolicy': async ({ world }) => ({
    input: { required: false, exempt: [] },
    as: (await owning(world)).as,
  }),
  'sso.test': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    const { id } = await insertTestSso(world.db, { accountId, createdById: owner.id });
    return { input: { connectionId: id }, as };
  },
  'sso.testResult': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    const { id } = await insertTestSso(world.db, { accountId, createdById: owner.id });
    const { data } = await world.call('sso.test', { connectionId: id }, as);
    return { input: { testId: z.object({ testId: z.int() }).parse(data).testId }, as };
  },
  'sso.addDomain': async ({ world }) => ({ input: { domain: 'acme.example' }, as: (await owning(world)).as }),
  'sso.list': asOwner,
  'sso.remove': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    const { id } = await insertTestSso(world.db, { accountId, createdById: owner.id });
    return { input: { connectionId: id }, as };
  },
  'sso.removeDomain': ofDomain,
  'sso.saveOidc': async ({ world }) => ({ input: newConnection, as: (await owning(world)).as }),
  'sso.saveSaml': async ({ world }) => ({
    input: { name: 'Acme', metadataXml: testMetadata() },
    as: (await owning(world)).as,
  }),
  'sso.verifyDomain': ofDomain,
  'machine.list': asOwner,
  'machine.remove': async ({ world }) => {
    const { owner, id: accountId, as } = await owning(world);
    return {
      input: { machineId: await insertTestMachine(world.db, { accountId, createdById: owner.id }) },
      as,
    };
  },
  'machine.save': async ({ world }) => ({
    input: { name: 'Importer', roleType: 5 },
    as: (await owning(world)).as,
  }),
  'member.deleteOwn': asMember,
  'member.detail': async ({ world }) => {
    const { owner, as } = await owning(world);
    return { input: { userId: owner.id }, as };
  },
  'member.exportOwn': asMember,
  'member.list': asOwner,
  'member.restorationDetails': async ({ world }) => {
    const member = await world.member();
    await world.call('member.deleteOwn', {}, member);
    return { input: { token: await linkTo(world, 'memberDeleted', member.email) }, as: NOBODY };
  },
  'member.restoreOwn': async ({ world }) => {
    const token = await restoreLink(world);
    return { input: { token, password: PASSWORD }, as: NOBODY };
  },
  'member.search': async ({ world }) => ({ input: { username: 'a' }, as: (await owning(world)).as }),
  'membership.changeRole': async ({ world }) => {
    const { id, as } = await owning(world);
    return { input: { memberId: (await within(world, id)).id, roleType: 3 }, as };
  },
  'membership.leave': async ({ world }) => {
    const { id } = await owning(world);
    return { input: {}, as: { token: (await within(world, id)).token, accountId: id } };
  },
  'membership.listAway': asOwner,
  'membership.remove': async ({ world }) => {
    const { id, as } = await owning(world);
    return { input: { memberId: (await within(world, id)).id }, as };
  },
  'password.set': async ({ world }) => ({
    input: { newPassword: 'Copper-Meadow-17' },
    as: await world.member({ hasPassword: false }),
  }),
  'portal.settings': () => ({ input: {}, as: NOBODY }),
  'profile.update': async ({ world }) => ({ input: { firstName: 'Ada' }, as: await world.member() }),
  'role.list': asOwner,
  'role.remove': async (stage) => {
    const { customRoleId, as } = await withRole(stage);
    return { input: { customRoleId }, as };
  },
  'role.save': async ({ world }) => ({ input: newRole, as: (await owning(world)).as }),
  'securityEvent.listMine': asMember,
  'subscription.current': asOwner,
  'verification.prove': async ({ world }) => ({
    input: { password: 'Lantern-Harbor-42' },
    as: { token: (await signIn(world.service, 'owner@acme.test')).token },
  }),
};

/** Makes a member who signed in long ago and has not called since. */
function makeStale({ db }: PeopleWorld, { id }: TestMember): Promise<void> {
  return changeColumn(db, { table: 'sessions', column: 'verified_at_ms', by: 'member_id', id }, 1);
}

/** Removes the inviter's right to invite. */
function demote({ db }: PeopleWorld, { id }: TestMember): Promise<void> {
  return changeColumn(db, { table: 'memberships', column: 'role_type', by: 'member_id', id }, 5);
}

/** The refusals of an invitation's link, which are the same for every caller. */
function refusedLinks(inputWith: (token: string) => object, isSignedIn: boolean): Record<string, Case> {
  const link =
    (spoil: (stage: Stage, made: Awaited<ReturnType<typeof inviting>>) => Promise<unknown>): Case =>
    async (stage) => {
      const { world } = stage;
      const member = await world.member();
      const made = await inviting(world, member.email);
      await spoil(stage, made);
      return { input: inputWith(made.token), as: isSignedIn ? member : NOBODY };
    };
  return {
    invalid_token: async ({ world }) => ({
      input: inputWith('x'),
      as: isSignedIn ? await world.member() : NOBODY,
    }),
    invitation_expired: link(({ world }, { invitationId: id }) =>
      changeColumn(world.db, { table: 'invitations', column: 'expires_at_ms', id }, 1),
    ),
    invitation_revoked: link(({ world }, { invitationId, as }) =>
      world.call('invitation.revoke', { invitationId }, as),
    ),
    invitation_used: link(({ world }, { invitationId: id }) =>
      changeColumn(world.db, { table: 'invitations', column: 'status', id }, 'accepted'),
    ),
    invitation_replaced: link(({ world }, { invitationId }) => linkOf(world.service, invitationId)),
    invitation_void: link(({ world }, { owner }) => demote(world, owner)),
  };
}

const unknownInvitation: Case = async ({ world }) => ({
  input: { invitationId: 999_999 },
  as: (await owning(world)).as,
});
const unknownRole: Case = async ({ world }) => ({
  input: { ...newRole, customRoleId: 999_999 },
  as: (await owning(world)).as,
});
/** A case of `membership.changeRole`, for a procedure that takes no role. */
const withoutRole =
  (make: Case): Case =>
  async (stage) => {
    const { input, ...call } = await make(stage);
    return { ...call, input: { memberId: Reflect.get(input, 'memberId') } };
  };
const unknownMember: Case = async ({ world }) => ({
  input: { memberId: 999_999, roleType: 5 },
  as: (await owning(world)).as,
});
const unconfirmedMember: Case = async ({ world }) => {
  const { id, as } = await owning(world);
  const heir = await world.member({ isConfirmed: false, memberships: { [id]: 1 } });
  return { input: { memberId: heir.id }, as };
};
/** Makes an account require a second factor of its sessions. */
function askForFactor({ db }: PeopleWorld, id: number): Promise<void> {
  return changeColumn(db, { table: 'accounts', column: 'required_level', id }, 2);
}
const plainMember: Case = async ({ world }) => {
  const { id, owner, as } = await owning(world);
  await changeColumn(world.db, { table: 'sessions', column: 'level', by: 'member_id', id: owner.id }, 2);
  const heir = await within(world, id, 1);
  await askForFactor(world, id);
  return { input: { memberId: heir.id }, as };
};
const soleOwner: Case = async ({ world }) => {
  const { id, owner } = await owning(world);
  const other = await within(world, id, 1);
  return { input: { memberId: owner.id, roleType: 5 }, as: { token: other.token, accountId: id } };
};
const betterThanOneself: Case = async ({ world }) => {
  const { id } = await owning(world);
  const [manager, owner] = [await within(world, id, 2), await within(world, id, 1)];
  return {
    input: { memberId: owner.id, roleType: 5 },
    as: { token: manager.token, accountId: id },
  };
};
const failingProvider: Case = async ({ world }) => {
  const { name, as } = await owning(world);
  await world.call('billing.checkout', { plan: 'team' }, as);
  return { input: { name }, as, isProviderDown: true };
};

/** A call of a procedure for each code that its description names and that a test can cause here. */
const REFUSED: Readonly<Record<string, Readonly<Record<string, Case>>>> = {
  'account.close': {
    subscribed: async ({ world }) => {
      const { name, as } = await paying(world);
      return { input: { name }, as };
    },
    provider_failed: failingProvider,
  },
  'account.create': {
    unconfirmed: async ({ world }) => ({
      input: { name: 'Mine' },
      as: await world.member({ isConfirmed: false }),
    }),
    account_limit: async ({ world }) => ({ input: { name: 'Mine' }, as: await world.member(), times: 4 }),
    rate_limited: async ({ world }) => {
      const member = await world.member();
      for (let at = 0; at < 5; at += 1) {
        const accountId = await idOf(world.call('account.create', { name: 'Mine' }, member));
        const as = { token: member.token, accountId };
        expect((await world.call('account.close', { name: 'Mine' }, as)).status).toBe(200);
      }
      return { input: { name: 'Mine' }, as: member };
    },
  },
  'account.restore': {
    not_found: async ({ world }) => ({
      input: { accountId: (await owning(world)).id },
      as: await world.member(),
    }),
    grace_over: async ({ world }) => {
      const { id, name, owner, as } = await owning(world);
      await world.call('account.close', { name }, as);
      await changeColumn(world.db, { table: 'accounts', column: 'erases_at_ms', id }, 1);
      return { input: { accountId: id }, as: { token: owner.token } };
    },
    account_limit: async ({ world }) => {
      const { id, name, owner, as } = await owning(world);
      await world.call('account.close', { name }, as);
      const { token } = owner;
      for (let at = 0; at < 3; at += 1) await idOf(world.call('account.create', { name: 'Mine' }, { token }));
      return { input: { accountId: id }, as: { token } };
    },
  },
  'account.transferOwnership': {
    not_found: withoutRole(unknownMember),
    unconfirmed: unconfirmedMember,
    owner_lacks_factor: plainMember,
  },
  'billing.checkout': {
    provider_not_configured: async ({ world }) => ({
      input: { plan: 'none' },
      as: (await owning(world)).as,
    }),
    subscribed: async ({ world }) => ({ input: { plan: 'team' }, as: (await paying(world)).as }),
    provider_failed: async ({ world }) => ({
      input: { plan: 'team' },
      as: (await owning(world)).as,
      isProviderDown: true,
    }),
    rate_limited: async ({ world }) => ({
      input: { plan: 'team' },
      as: (await owning(world)).as,
      times: 11,
    }),
  },
  'billing.invoices': {
    provider_not_configured: async ({ bare }) => ({ input: {}, as: (await owning(bare)).as, in: bare }),
    provider_failed: async ({ world }) => {
      const { as } = await owning(world);
      await world.call('billing.checkout', { plan: 'team' }, as);
      return { input: {}, as, isProviderDown: true };
    },
    rate_limited: async ({ world }) => {
      const { as } = await owning(world);
      await world.call('billing.checkout', { plan: 'team' }, as);
      return { input: {}, as, times: 61 };
    },
  },
  'billing.plans': {
    provider_not_configured: async ({ bare }) => ({ input: {}, as: (await owning(bare)).as, in: bare }),
  },
  'billing.portal': {
    provider_not_configured: async ({ bare }) => ({ input: {}, as: (await owning(bare)).as, in: bare }),
    no_customer: asOwner,
    provider_failed: async ({ world }) => {
      const { as } = await owning(world);
      await world.call('billing.checkout', { plan: 'team' }, as);
      return { input: {}, as, isProviderDown: true };
    },
    rate_limited: async ({ world }) => ({ input: {}, as: (await owning(world)).as, times: 61 }),
  },
  'email.approvalDetails': { invalid_token: () => ({ input: { token: 'x' }, as: NOBODY }) },
  'email.approve': {
    invalid_token: () => ({ input: { token: 'x', approve: true }, as: NOBODY }),
    email_taken: async ({ world }) => {
      const [member, other] = [await world.member(), await world.member()];
      const email = `${nextName()}@moved.test`;
      await world.call('email.change', { email }, member);
      const token = await linkTo(world, 'activation', email);
      await world.call('registration.confirm', { token }, NOBODY);
      await changeColumn(world.db, { table: 'members', column: 'email_key', id: other.id }, email);
      const approval = await linkTo(world, 'addressApproval', member.email);
      return { input: { token: approval, approve: true }, as: NOBODY };
    },
  },
  'email.change': {
    rate_limited: async ({ world }) => ({
      input: { email: `${nextName()}@moved.test` },
      as: await world.member(),
      times: 4,
    }),
  },
  'email.resend': {
    not_found: asMember,
    rate_limited: async ({ world }) => ({ input: {}, as: await world.member(), times: 4 }),
  },
  'eventDelivery.detail': {
    not_found: async ({ world }) => ({ input: { deliveryId: 999_999 }, as: (await owning(world)).as }),
  },
  'eventDelivery.redeliver': {
    not_found: async ({ world }) => ({ input: { ids: [999_999] }, as: (await owning(world)).as }),
  },
  'eventEndpoint.remove': { not_found: unknownEndpoint({}) },
  'eventEndpoint.resume': { not_found: unknownEndpoint({ from: 'now' }) },
  'eventEndpoint.rotateSecret': { not_found: unknownEndpoint({}) },
  'eventEndpoint.save': {
    not_found: unknownEndpoint(newEndpoint),
    url_not_allowed: async ({ world }) => ({
      input: { ...newEndpoint, url: 'https://10.0.0.1/' },
      as: (await owning(world)).as,
    }),
    limit_reached: async ({ world }) => {
      const { id, as } = await owning(world);
      for (let made = 0; made < 10; made += 1)
        await insertTestEndpoint(world.db, world.service.services, scopeOf(id));
      return { input: newEndpoint, as };
    },
    rate_limited: async ({ world }) => ({ input: newEndpoint, as: (await owning(world)).as, times: 11 }),
  },
  'eventEndpoint.test': {
    not_found: unknownEndpoint({}),
    rate_limited: async (stage) => {
      const { as, endpointId } = await withEndpoint(stage);
      return { input: { endpointId }, as, times: 11 };
    },
  },
  'event.list': {
    invalid_cursor: async ({ world }) => ({ input: { after: '1.0' }, as: (await owning(world)).as }),
    cursor_expired: async ({ world }) => {
      const { as } = await owning(world);
      await world.call('account.rename', { name: 'Once' }, as);
      await world.call('account.rename', { name: 'Twice' }, as);
      await world.call('account.rename', { name: 'Thrice' }, as);
      while ((await sequenceEvents(world.db, nextName(), 100)) > 0);
      const first = await world.service.send('/v1/event/list', { ...as, body: { limit: 1 } });
      const { nextCursor } = z.object({ nextCursor: z.string() }).parse(await first.json());
      await removeOldEvents(world.db, { beforeMs: Date.now() + DAY_MS, limit: 1_000 });
      return { input: { after: nextCursor }, as };
    },
    rate_limited: async ({ world }) => ({ input: {}, as: (await owning(world)).as, times: 121 }),
  },
  'takeover.decide': {
    not_found: async ({ world }) => ({
      input: { membershipId: 999_999, keep: true },
      as: await world.member(),
    }),
  },
  'invitation.accept': {
    ...refusedLinks((token) => ({ token }), true),
    not_found: unknownInvitation,
    unconfirmed: async ({ world }) => {
      const member = await world.member({ isConfirmed: false });
      return { input: { token: (await inviting(world, member.email)).token }, as: member };
    },
    address_mismatch: async ({ world }) => ({
      input: { token: (await inviting(world)).token },
      as: await world.member(),
    }),
  },
  'invitation.create': {
    unconfirmed: async ({ world }) => {
      const { id } = await owning(world);
      const { token } = await world.member({ isConfirmed: false, memberships: { [id]: 1 } });
      return { input: { email: 'a@new.test', roleType: 5 }, as: { token, accountId: id } };
    },
    verification_required: async ({ world }) => {
      const { owner, as } = await owning(world);
      await makeStale(world, owner);
      return { input: { email: 'a@new.test', roleType: 1 }, as };
    },
    not_found: async ({ world }) => ({
      input: { email: 'a@new.test', customRoleId: 999_999 },
      as: (await owning(world)).as,
    }),
    already_member: async ({ world }) => {
      const { id, as } = await owning(world);
      return { input: { email: (await within(world, id)).email, roleType: 5 }, as };
    },
    invitation_limit: async ({ world }) => {
      const { id: accountId, owner, as } = await owning(world);
      for (let at = 0; at < 100; at += 1)
        await insertTestInvitation(world.db, { accountId, inviterId: owner.id });
      return { input: { email: 'a@new.test', roleType: 5 }, as };
    },
  },
  'invitation.decline': {
    ...refusedLinks((token) => ({ token }), false),
    invitation_used: async ({ world }) => {
      const member = await world.member();
      const { token } = await inviting(world, member.email);
      await world.call('invitation.accept', { token }, member);
      return { input: { token }, as: NOBODY };
    },
    not_found: async ({ world }) => ({ input: { invitationId: 999_999 }, as: await world.member() }),
    unauthorized: () => ({ input: { invitationId: 999_999 }, as: NOBODY }),
    permission_denied: async ({ world }) => {
      const member = await world.member();
      const ofPartner = { table: 'sessions', column: 'partner_id', by: 'member_id', id: member.id };
      await changeColumn(world.db, ofPartner, 1);
      return { input: { invitationId: 999_999 }, as: member };
    },
  },
  'invitation.join': {
    ...refusedLinks((token) => ({ token, ...person(nextName()) }), false),
    sign_in_required: async ({ world }) => {
      const { email } = await world.member();
      return { input: { token: (await inviting(world, email)).token, ...person(nextName()) }, as: NOBODY };
    },
    username_taken: async ({ world }) => {
      const { token } = await inviting(world);
      const { token: other } = await inviting(world);
      const joining = person(nextName());
      await world.call('invitation.join', { token: other, ...joining }, NOBODY);
      return { input: { token, ...joining }, as: NOBODY };
    },
  },
  'invitation.preview': refusedLinks((token) => ({ token }), false),
  'invitation.resend': {
    not_found: unknownInvitation,
    invitation_used: async ({ world }) => {
      const { invitationId, as, token } = await inviting(world);
      await world.call('invitation.decline', { token }, NOBODY);
      return { input: { invitationId }, as };
    },
    rate_limited: async ({ world }) => {
      const { invitationId, as } = await inviting(world);
      return { input: { invitationId }, as, times: 2 };
    },
    verification_required: async ({ world }) => {
      const { accountId, invitationId, owner } = await inviting(world);
      await demote(world, owner);
      await changeColumn(world.db, { table: 'invitations', column: 'role_type', id: invitationId }, 1);
      const other = await within(world, accountId, 1);
      await makeStale(world, other);
      return { input: { invitationId }, as: { token: other.token, accountId } };
    },
    invitation_limit: async ({ world }) => {
      const { accountId, owner, as, invitationId } = await inviting(world);
      const expiry = { table: 'invitations', column: 'expires_at_ms', id: invitationId };
      await changeColumn(world.db, expiry, 1);
      for (let at = 0; at < 100; at += 1)
        await insertTestInvitation(world.db, { accountId, inviterId: owner.id });
      return { input: { invitationId }, as };
    },
    unconfirmed: async ({ world }) => {
      const { accountId, invitationId, owner } = await inviting(world);
      await demote(world, owner);
      const { token } = await world.member({ isConfirmed: false, memberships: { [accountId]: 1 } });
      return { input: { invitationId }, as: { token, accountId } };
    },
  },
  'invitation.revoke': {
    not_found: unknownInvitation,
    invitation_used: async ({ world }) => {
      const { invitationId, as } = await inviting(world);
      const column = { table: 'invitations', column: 'status', id: invitationId } as const;
      await changeColumn(world.db, column, 'accepted');
      return { input: { invitationId }, as };
    },
  },
  'member.deleteOwn': {
    sole_owner: async ({ world }) => {
      const { id, owner } = await owning(world);
      await within(world, id);
      return { input: {}, as: { token: owner.token } };
    },
    subscribed: async ({ world }) => ({
      input: {},
      as: { token: (await paying(world)).owner.token },
    }),
    not_found: async ({ world }) => {
      const { id: accountId, owner } = await owning(world);
      const accounts = [{ accountId, action: 'transfer', memberId: 999_999 }];
      return { input: { accounts }, as: { token: owner.token } };
    },
    unconfirmed: async ({ world }) => {
      const { id: accountId, owner } = await owning(world);
      const heir = await world.member({ isConfirmed: false, memberships: { [accountId]: 1 } });
      const accounts = [{ accountId, action: 'transfer', memberId: heir.id }];
      return { input: { accounts }, as: { token: owner.token } };
    },
    enrolment_required: async ({ world }) => {
      const { id, as } = await owning(world);
      await askForFactor(world, id);
      return { input: {}, as: { token: as.token } };
    },
    owner_lacks_factor: async (stage) => {
      const { input, as } = await plainMember(stage);
      const accounts = [{ accountId: as.accountId, action: 'transfer', ...input }];
      return { input: { accounts }, as: { token: as.token } };
    },
    provider_failed: async ({ world }) => {
      const { as } = await owning(world);
      await world.call('billing.checkout', { plan: 'team' }, as);
      return { input: {}, as: { token: as.token }, isProviderDown: true };
    },
  },
  'member.exportOwn': {
    rate_limited: async ({ world }) => ({ input: {}, as: await world.member(), times: 2 }),
  },
  'member.restorationDetails': { invalid_token: () => ({ input: { token: 'x' }, as: NOBODY }) },
  'member.restoreOwn': {
    invalid_token: () => ({ input: { token: 'x' }, as: NOBODY }),
    grace_over: async ({ bare }) => {
      const member = await bare.member();
      await bare.call('member.deleteOwn', {}, member);
      const token = await linkTo(bare, 'memberDeleted', member.email);
      bare.wait(31 * 86_400_000);
      return { input: { token }, as: NOBODY, in: bare };
    },
    proof_required: async ({ world }) => ({ input: { token: await restoreLink(world) }, as: NOBODY }),
    invalid_credentials: async ({ world }) => ({
      input: { token: await restoreLink(world), password: 'Wrong-Harbor-42' },
      as: NOBODY,
    }),
  },
  'membership.changeRole': {
    not_found: unknownMember,
    permission_denied: betterThanOneself,
    sole_owner: soleOwner,
    unconfirmed: async ({ world }) => {
      const { id } = await owning(world);
      const planter = await world.member({ ...CONFIRMED, isProven: false, memberships: { [id]: 1 } });
      const as = { token: planter.token, accountId: id };
      return { input: { memberId: (await within(world, id)).id, roleType: 1 }, as };
    },
    verification_required: async ({ world }) => {
      const { id, owner, as } = await owning(world);
      await makeStale(world, owner);
      return { input: { memberId: (await within(world, id)).id, roleType: 1 }, as };
    },
  },
  'membership.leave': {
    not_found: async ({ world }) => {
      const { id: accountId } = await owning(world);
      const staff = await world.member({ isPersonnel: true, roleType: 6, grants: [accountId] });
      return { input: {}, as: { token: staff.token, accountId } };
    },
    sole_owner: async ({ world }) => {
      const { id, as } = await owning(world);
      await within(world, id);
      return { input: {}, as };
    },
  },
  'membership.remove': {
    not_found: withoutRole(unknownMember),
    permission_denied: withoutRole(betterThanOneself),
    sole_owner: withoutRole(soleOwner),
  },
  'password.set': {
    password_exists: async ({ world }) => ({
      input: { newPassword: 'Copper-Meadow-17' },
      as: await world.member(),
    }),
    unconfirmed: async ({ world }) => ({
      input: { newPassword: 'Copper-Meadow-17' },
      as: await world.member({ hasPassword: false, isConfirmed: false }),
    }),
  },
  'profile.update': {
    username_taken: async ({ world }) => {
      const username = nextName();
      await world.call('profile.update', { username }, await world.member());
      return { input: { username }, as: await world.member() };
    },
    rate_limited: async ({ world }) => {
      const member = await world.member();
      for (let at = 0; at < 5; at += 1) await world.call('profile.update', { username: nextName() }, member);
      return { input: { username: nextName() }, as: member };
    },
  },
  'key.create': { not_found: unknownMachine },
  'key.reportLeaked': {
    rate_limited: () => ({ input: { key: 'gthk_' }, as: NOBODY, times: 31 }),
  },
  'key.revoke': { not_found: unknownKey },
  'scim.removeToken': {
    not_found: async ({ world }) => ({ input: { tokenId: 999_999 }, as: (await owning(world)).as }),
  },
  'key.rotate': { not_found: unknownKey },
  'consent.withdraw': {
    not_found: async ({ world }) => ({ input: { consentId: 999_999 }, as: await world.member() }),
  },
  'consent.withdrawInAccount': {
    not_found: async ({ world }) => ({ input: { consentId: 999_999 }, as: (await owning(world)).as }),
  },
  'app.addSecret': { not_found: unknownApplication },
  'app.detail': { not_found: unknownApplication },
  'app.remove': { not_found: unknownApplication },
  'app.removeSecret': {
    not_found: async (stage) => {
      const { applicationId, as } = await withApplication(stage);
      return { input: { applicationId, secretId: 999_999 }, as };
    },
  },
  'app.save': {
    not_found: async ({ world }) => ({
      input: { ...newApplication, applicationId: 999_999 },
      as: (await owning(world)).as,
    }),
  },
  'sso.activate': {
    not_found: unknownConnection,
    not_tested: async ({ world }) => {
      const { owner, id: accountId, as } = await owning(world);
      const { id } = await insertTestSso(world.db, { accountId, createdById: owner.id, isLive: false });
      const renamed = { connectionId: id, clientId: 'other', clientSecret: 'other' };
      await world.call('sso.saveOidc', renamed, as);
      return { input: { connectionId: id }, as };
    },
  },
  'sso.addDomain': {
    domain_not_allowed: async ({ world }) => ({
      input: { domain: 'gmail.com' },
      as: (await owning(world)).as,
    }),
  },
  'sso.consent': {
    not_found: async ({ world }) => {
      const { id: accountId, as } = await owning(world);
      return { input: { accountId }, as };
    },
  },
  'sso.setPolicy': {
    not_tested: async ({ world }) => {
      const { owner, as } = await owning(world);
      return { input: { required: true, exempt: [owner.id] }, as };
    },
  },
  'sso.test': { not_found: unknownConnection },
  'sso.testResult': {
    not_found: async ({ world }) => ({ input: { testId: 999_999 }, as: (await owning(world)).as }),
  },
  'sso.remove': { not_found: unknownConnection },
  'sso.removeDomain': { not_found: unknownDomain },
  'sso.saveOidc': {
    not_found: unknownConnection,
    url_not_allowed: async ({ world }) => ({
      input: { ...newConnection, issuer: 'ftp://127.0.0.1:4999' },
      as: (await owning(world)).as,
    }),
  },
  'sso.saveSaml': {
    not_found: unknownConnection,
    url_not_allowed: async ({ world }) => ({
      input: { name: 'Acme', metadataUrl: 'ftp://127.0.0.1:4999' },
      as: (await owning(world)).as,
    }),
  },
  'sso.verifyDomain': { not_found: unknownDomain },
  'machine.remove': {
    not_found: async ({ world }) => ({ input: { machineId: 999_999 }, as: (await owning(world)).as }),
  },
  'machine.save': {
    not_found: async ({ world }) => ({
      input: { machineId: 999_999, name: 'Importer', roleType: 5 },
      as: (await owning(world)).as,
    }),
  },
  'role.remove': {
    not_found: async ({ world }) => ({ input: { customRoleId: 999_999 }, as: (await owning(world)).as }),
    role_in_use: async (stage) => {
      const { id, customRoleId, as } = await withRole(stage);
      const { id: memberId } = await within(stage.world, id);
      await stage.world.call('membership.changeRole', { memberId, customRoleId }, as);
      return { input: { customRoleId }, as };
    },
  },
  'role.save': {
    not_found: unknownRole,
    role_taken: async (stage) => ({ input: newRole, as: (await withRole(stage)).as }),
    role_limit: async ({ world }) => {
      const { as } = await owning(world);
      for (let at = 0; at < 20; at += 1)
        await idOf(world.call('role.save', { ...newRole, name: `Role ${at}` }, as));
      return { input: newRole, as };
    },
    permission_denied: async ({ world }) => {
      const { id } = await owning(world);
      const { token } = await within(world, id, 2);
      return { input: newRole, as: { token, accountId: id } };
    },
  },
  'verification.prove': {
    invalid_credentials: async ({ world }) => ({
      input: { password: 'not this one' },
      as: { token: (await signIn(world.service, 'owner@acme.test')).token },
    }),
    rate_limited: async ({ world }) => ({
      input: { password: 'not this one' },
      as: { token: (await signIn(world.service, 'manager@acme.test')).token },
      times: 30,
    }),
    verification_required: async ({ world }) => {
      const member = await world.member();
      const signedIn = { table: 'sessions', column: 'auth_time_ms', by: 'member_id', id: member.id };
      await changeColumn(world.db, signedIn, Date.now() - 1_200_000);
      return { input: { ticket: 'x' }, as: member };
    },
  },
};

const APPLICATIONS = 'packages/features/src/application/applications.test.ts';
const DIRECTORIES = 'packages/features/src/scim/scim-tokens.test.ts';
const MACHINES = 'packages/features/src/machine/machines.test.ts';
const DOMAINS = 'packages/features/src/sso/sso-domains.test.ts';
const REQUIRED_SSO = 'packages/features/src/sso/required-sso.test.ts';
const INVITING = 'packages/features/src/account/inviting.test.ts';
const ANSWERING = 'packages/features/src/account/answering-invitations.test.ts';
const PASSKEYS = 'packages/features/src/authentication/passkey/manage-passkeys.test.ts';
const POLICY = 'packages/features/src/account/account-policy.test.ts';

/** The other codes of descriptions, each with the feature's test that reaches it. */
const APPROVING = 'packages/features/src/registration/agreed-by-a-click.test.ts';
const ELSEWHERE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'email.approve': { invalid_credentials: APPROVING, rate_limited: APPROVING },
  'invitation.create': { rate_limited: INVITING },
  'key.create': { limit_reached: MACHINES, unconfirmed: MACHINES },
  'scim.addToken': { limit_reached: DIRECTORIES, unconfirmed: DIRECTORIES },
  'key.rotate': { key_ended: MACHINES, unconfirmed: MACHINES },
  'app.addSecret': { limit_reached: APPLICATIONS },
  'app.save': { limit_reached: APPLICATIONS },
  'machine.save': { limit_reached: MACHINES },
  'sso.addDomain': { limit_reached: DOMAINS },
  'sso.saveOidc': { limit_reached: 'packages/features/src/sso/connections.test.ts' },
  'sso.saveSaml': { limit_reached: 'packages/features/src/sso/saml-connections.test.ts' },
  'sso.discover': { rate_limited: REQUIRED_SSO },
  'sso.setPolicy': { policy_excludes_you: REQUIRED_SSO },
  'sso.verifyDomain': { domain_taken: DOMAINS, rate_limited: DOMAINS },
  'role.remove': { permission_denied: 'packages/features/src/account/custom-roles.test.ts' },
  'invitation.decline': { enrolment_required: POLICY, verification_required: POLICY },
  'invitation.join': {
    email_taken: ANSWERING,
    // Joining starts a session as a login does, and the member may have changed by then.
    invalid_credentials: 'packages/features/src/authentication/finish-sign-in.test.ts',
    second_factor_required: 'packages/features/src/account/deleted-holder.test.ts',
    rate_limited: ANSWERING,
    sso_required: 'packages/features/src/authentication/sso-bypass.test.ts',
  },
  'member.restorationDetails': { grace_over: 'packages/features/src/account/delete-own-member.test.ts' },
  'member.restoreOwn': { rate_limited: 'packages/features/src/account/delete-own-member.test.ts' },
  'verification.prove': { invalid_challenge: PASSKEYS, passkey_unknown: PASSKEYS },
};

const OWN =
  /^(?:account|app|audit|billing|consent|email|event|eventDelivery|eventEndpoint|invitation|key|machine|membership|portal|profile|role|scim|securityEvent|sso)\./;
const OTHERS = /^(?:member\..*|password\.set|subscription\.current|verification\.prove)$/;
const described = listProcedures(router).filter(
  ({ name }) => name !== 'account.search' && (OWN.test(name) || OTHERS.test(name)),
);

async function startStage() {
  const simulator = await startProviderSimulator();
  const world = await startPeopleWorld({
    ...billingEnvironment(simulator.url),
    ACCOUNTS_PER_MEMBER: '3',
    REGISTRATIONS_PER_ADDRESS: '100000',
  });
  const bare = await startPeopleWorld();
  return {
    simulator,
    world,
    bare,
    async [Symbol.asyncDispose]() {
      await bare[Symbol.asyncDispose]();
      await world[Symbol.asyncDispose]();
      await simulator[Symbol.asyncDispose]();
    },
  };
}

async function answered(stage: Stage, name: string, make: Case, transport: Transport): Promise<string> {
  const { input, as, in: world = stage.world, times = 1, isProviderDown = false } = await make(stage);
  for (let time = 1; time < times; time += 1) await world.call(name, input, as, { transport });
  if (isProviderDown) stage.simulator.billing.misbehave('stripe', 'error500');
  const { status, code } = await world.call(name, input, as, { transport });
  stage.simulator.billing.misbehave('stripe', null);
  if (status === 200) return 'ok';
  // Over REST it is one text, which has no code.
  return code ?? (status === 401 ? 'unauthorized' : String(status));
}

describe('a procedure that people call for themselves', () => {
  it('has a test case that succeeds and one for every refusal that it documents', () => {
    const names = described.map(({ name }) => name).toSorted();
    expect(Object.keys(SERVED).toSorted(), 'add a case to SERVED in this test').toEqual(names);
    for (const { name, about } of described) {
      const shown = [...Object.keys(REFUSED[name] ?? {}), ...Object.keys(ELSEWHERE[name] ?? {})];
      const refused = (about?.refuses ?? []).toSorted();
      expect([name, shown.toSorted()], 'add a case to REFUSED in this test').toEqual([name, refused]);
    }
    for (const [code, file] of Object.values(ELSEWHERE).flatMap(Object.entries<string>)) {
      const path = new URL(`../../../${file}`, import.meta.url);
      expect([file, readFileSync(path, 'utf8').includes(code)]).toEqual([file, true]);
    }
  });

  it.each(TRANSPORTS)('succeeds over %s', { timeout: 120_000 }, async (transport) => {
    await using stage = await startStage();
    const wrong: string[] = [];
    for (const [name, make] of Object.entries(SERVED)) {
      const outcome = await answered(stage, name, make, transport);
      if (outcome !== 'ok') wrong.push(`${name}: ${outcome}`);
    }
    expect(wrong).toEqual([]);
  });

  it.each(TRANSPORTS)(
    'is refused over %s with the documented code',
    { timeout: 240_000 },
    async (transport) => {
      await using stage = await startStage();
      const wrong: string[] = [];
      for (const [name, cases] of Object.entries(REFUSED))
        for (const [code, make] of Object.entries(cases)) {
          const outcome = await answered(stage, name, make, transport);
          if (outcome !== code) wrong.push(`${name} ${code}: ${outcome}`);
        }
      expect(wrong).toEqual([]);
    },
  );
});

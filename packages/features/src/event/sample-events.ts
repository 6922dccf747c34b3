import { randomId } from '@gatehouse/auth-core';
import type { EventData, EventType, GatehouseEvent } from './event.js';
import { EVENT_TYPES } from './event-types.js';

const member = {
  memberId: 3,
  username: 'owner.acme',
  firstName: 'Olivia',
  lastName: 'Marsh',
  email: 'owner@acme.test',
};
const membership = { memberId: 5, accountId: 1, roleType: 3, source: 'invitation' } as const;
const account = { accountId: 1, name: 'Acme Studio' };
const subscription = { accountId: 1, provider: 'stripe' };
const invitation = { invitationId: 12, roleType: 3, email: 'new@acme.test' };
const session = { memberId: 3, sessionId: 41, kind: 'session', method: 'pwd' } as const;
const consent = { memberId: 3, to: 'application:1', scopes: ['openid', 'member.list'] };
const endpoint = { endpointId: 1, name: 'Demonstration' };
const key = { keyId: 1, machineId: 12, name: 'Demonstration' };

const SAMPLES: { readonly [Type in EventType]: EventData[Type] } = {
  'member.registered': member,
  'member.updated': { ...member, changed: ['lastName'] },
  'member.confirmed': member,
  'member.banned': { ...member, changed: ['banned'] },
  'member.removed': { ...member, email: null, changed: ['removed'] },
  'membership.added': membership,
  'membership.roleChanged': { ...membership, previousRoleType: 5, source: 'owner' },
  'membership.removed': { ...membership, source: 'owner' },
  'account.created': account,
  'account.updated': { ...account, changed: ['name'] },
  'account.removed': { ...account, changed: ['removed'] },
  'account.ssoRequired': account,
  'account.domainVerified': { ...account, domain: 'acme.test' },
  'account.domainLapsed': { ...account, domain: 'acme.test' },
  'subscription.trialStarted': {
    ...subscription,
    provider: null,
    status: 'trialing',
    trialEndsAt: '2030-01-15T09:00:00.000Z',
  },
  'subscription.activated': { ...subscription, status: 'active' },
  'subscription.pastDue': { ...subscription, status: 'past_due' },
  'subscription.paused': { ...subscription, status: 'paused' },
  'subscription.canceled': { ...subscription, status: 'canceled' },
  'subscription.expired': { ...subscription, status: 'expired' },
  'invitation.created': invitation,
  'invitation.accepted': invitation,
  'invitation.declined': invitation,
  'invitation.revoked': invitation,
  'invitation.expired': invitation,
  'session.started': session,
  'session.ended': { ...session, reason: 'signed_out' },
  'consent.given': consent,
  'consent.withdrawn': consent,
  'endpoint.disabled': endpoint,
  'endpoint.ping': endpoint,
  'key.created': key,
  'key.revoked': key,
};

const KIND_OF_SUBJECT: Readonly<Record<string, string>> = {
  member: 'member',
  membership: 'member',
  session: 'member',
  consent: 'member',
  endpoint: 'endpoint',
};

/** A sample of an event as an endpoint gets it, about the demonstration. */
export function sampleEvent(
  type: EventType,
  {
    id = `evt_${randomId()}`,
    atMs = Date.now(),
    subjectVersion = 1,
  }: { id?: string; atMs?: number; subjectVersion?: number } = {},
): GatehouseEvent {
  const kind = KIND_OF_SUBJECT[type.split('.')[0] ?? ''] ?? 'account';
  const data = SAMPLES[type];
  const subjectId = kind === 'member' && 'memberId' in data ? data.memberId : 1;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the table of samples has the data of each type
  return {
    id,
    type,
    version: EVENT_TYPES[type].version,
    timestamp: new Date(atMs).toISOString(),
    subject: `${kind}:${subjectId}`,
    subjectVersion,
    accountId: /^(?:member|session)\./.test(type) ? null : 1,
    actor: { kind: 'member', id: 3 },
    data,
  } as GatehouseEvent;
}

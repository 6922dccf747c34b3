import { AppError } from '@gatehouse/auth-core';
import { SESSION_END_REASONS } from '@gatehouse/db/queries/session-events';
import { z } from 'zod';
import type { EventData, EventType, MemberField } from './event.js';

const id = z.int();
const accountId = id;
const memberId = id;
const invitationId = id;

const memberField = z.enum(['username', 'firstName', 'lastName', 'email', 'banned', 'removed']);

const accountField = z.enum(['name', 'ownerId', 'requiredLevel', 'ssoRequired', 'removed']);

const source = z.enum([
  'registration',
  'account',
  'invitation',
  'staff',
  'owner',
  'member',
  'restoration',
  'takeover',
  'scim',
]);

const member = z.strictObject({
  memberId,
  username: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  email: z.string().nullable(),
  foreignIds: z.array(z.strictObject({ source: z.string(), id: z.string() })).optional(),
  changed: z.array(memberField).optional(),
});

const membership = z.strictObject({
  memberId,
  accountId,
  roleType: id,
  previousRoleType: id.optional(),
  source,
});

const account = z.strictObject({ accountId, name: z.string(), changed: z.array(accountField).optional() });

const domain = z.strictObject({ accountId, name: z.string(), domain: z.string() });

const subscription = z.strictObject({
  accountId,
  status: z.enum(['trialing', 'active', 'past_due', 'paused', 'canceled', 'expired']),
  provider: z.string().nullable(),
  trialEndsAt: z.iso.datetime().optional(),
});

const invitation = z.strictObject({ invitationId, roleType: id, email: z.string() });

const session = z.strictObject({
  memberId,
  sessionId: id,
  kind: z.enum(['session', 'bearer']),
  method: z.string(),
});
const endedSession = session.extend({
  reason: z.enum(SESSION_END_REASONS),
});

const consent = z.strictObject({
  memberId,
  to: z.string(),
  resource: z.string().optional(),
  scopes: z.array(z.string()),
});

const endpoint = z.strictObject({ endpointId: id, name: z.string() });
const key = z.strictObject({ keyId: id, machineId: id, name: z.string() });

/**
 * The types of events, with the schema of the `data` of their present version. What a schema does not list is in no event. An added
 * optional field keeps the version.
 */
export const EVENT_TYPES = {
  'member.registered': { version: 1, data: member },
  'member.updated': { version: 1, data: member },
  'member.confirmed': { version: 1, data: member },
  'member.banned': { version: 1, data: member },
  'member.removed': { version: 1, data: member },
  'membership.added': { version: 1, data: membership },
  'membership.roleChanged': { version: 1, data: membership },
  'membership.removed': { version: 1, data: membership },
  'account.created': { version: 1, data: account },
  'account.updated': { version: 1, data: account },
  'account.removed': { version: 1, data: account },
  'account.ssoRequired': { version: 1, data: account },
  'account.domainVerified': { version: 1, data: domain },
  'account.domainLapsed': { version: 1, data: domain },
  'subscription.trialStarted': { version: 1, data: subscription },
  'subscription.activated': { version: 1, data: subscription },
  'subscription.pastDue': { version: 1, data: subscription },
  'subscription.paused': { version: 1, data: subscription },
  'subscription.canceled': { version: 1, data: subscription },
  'subscription.expired': { version: 1, data: subscription },
  'invitation.created': { version: 1, data: invitation },
  'invitation.accepted': { version: 1, data: invitation },
  'invitation.declined': { version: 1, data: invitation },
  'invitation.revoked': { version: 1, data: invitation },
  'invitation.expired': { version: 1, data: invitation },
  'session.started': { version: 1, data: session },
  'session.ended': { version: 1, data: endedSession },
  'consent.given': { version: 1, data: consent },
  'consent.withdrawn': { version: 1, data: consent },
  'endpoint.disabled': { version: 1, data: endpoint },
  'endpoint.ping': { version: 1, data: endpoint },
  'key.created': { version: 1, data: key },
  'key.revoked': { version: 1, data: key },
} as const satisfies {
  readonly [Type in EventType]: { readonly version: number; readonly data: z.ZodType<EventData[Type]> };
};

export const isMemberField = (name: string): name is MemberField => memberField.safeParse(name).success;

/** Every type, in the order of the catalog. */
export const EVENT_TYPE_NAMES = Object.keys(EVENT_TYPES).filter((name): name is EventType =>
  Object.hasOwn(EVENT_TYPES, name),
);

/** Which version of each type an endpoint gets. There is one of each. */
export const eventVersions = z.strictObject(
  Object.fromEntries(EVENT_TYPE_NAMES.map((type) => [type, z.literal(EVENT_TYPES[type].version).optional()])),
);

/** Events that only endpoints of the deployment get, and that no feed of an account or a partner has. */
export const isOfDeployment = (type: EventType): boolean => type.startsWith('session.');

/**
 * The types that these names select: the name of one, or `member.*` for all of a kind.
 * @throws {AppError} `invalid_input` for an unknown name
 */
export function typesOf(names: readonly string[]): EventType[] {
  const unknown = names.findIndex((name) => typesNamed(name).length === 0);
  if (unknown >= 0) {
    const issues = [{ path: `types.${unknown}`, message: 'There is no type of this name' }];
    throw new AppError('invalid_input', { issues });
  }
  return [...new Set(names.flatMap(typesNamed))];
}

function typesNamed(name: string): EventType[] {
  return EVENT_TYPE_NAMES.filter((type) =>
    name.endsWith('.*') ? type.startsWith(name.slice(0, -1)) : type === name,
  );
}

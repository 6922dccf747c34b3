import { randomBytes } from 'node:crypto';
import type { Database } from '@gatehouse/db/database';
import { listConsentsTo } from '@gatehouse/db/queries/consents';
import { findEndpoint } from '@gatehouse/db/queries/event-endpoints';
import {
  type EventAccount,
  type EventMember,
  findEventAccount,
  findEventMember,
  insertEvent,
  memberAudience,
} from '@gatehouse/db/queries/events';
import { listForeignIdsOf } from '@gatehouse/db/queries/foreign-ids';
import { findInvitation } from '@gatehouse/db/queries/invitations';
import { findApiKey } from '@gatehouse/db/queries/machines';
import { findMembership } from '@gatehouse/db/queries/memberships';
import { findResource } from '@gatehouse/db/queries/resources';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import type { SubscriptionState } from '@gatehouse/db/tables/billing-tables';
import type { EventActorKind, EventAudience } from '@gatehouse/db/tables/event-tables';
import type { MembershipSource } from './event.js';
import { EVENT_TYPES } from './event-types.js';
import { type Act, EVENTS_OF_ACTS, type EventDraft } from './events-of-acts.js';

interface Actor {
  readonly kind: EventActorKind;
  readonly id: number | null;
}

interface KnownActor {
  readonly id: number;
  readonly isPersonnel: boolean;
  readonly machine: object | null;
}

/** A transaction that writes events. It reads each member and account once. */
interface Telling {
  readonly tx: Database;
  readonly atMs: number;
  readonly actor: Actor;
  readonly members: Map<number, EventMember | undefined>;
  readonly accounts: Map<number, EventAccount | undefined>;
}

/**
 * Writes the events of an action, in the transaction of the change and its line in the audit log. The caller has locked the rows
 * that the events are about.
 * @param others events beside those that follow from the action
 * @param knownActor the member that a guard has read for this call, who is not read again
 * @param directory the token of the directory that acts, if no person does
 */
export async function recordEvents(
  tx: Database,
  act: Act,
  {
    others = [],
    knownActor,
    directory,
  }: {
    others?: readonly EventDraft[] | undefined;
    knownActor?: KnownActor | undefined;
    directory?: { readonly tokenId: number } | undefined;
  } = {},
): Promise<void> {
  const drafts = [...(EVENTS_OF_ACTS[act.action]?.(act) ?? []), ...others];
  if (drafts.length === 0) return;
  const members = new Map<number, EventMember | undefined>();
  const actor: Actor = directory
    ? { kind: 'scim', id: directory.tokenId }
    : await actorOf(tx, act, { members, knownActor });
  const telling = { tx, atMs: act.atMs, actor, members, accounts: new Map() };
  for (const draft of drafts) await recordEvent(telling, draft);
}

const TYPE_OF_STATE = {
  trialing: 'subscription.trialStarted',
  active: 'subscription.activated',
  past_due: 'subscription.pastDue',
  paused: 'subscription.paused',
  canceled: 'subscription.canceled',
  expired: 'subscription.expired',
} as const;

/** Writes the event of a subscription whose state has changed, once it is stored. The caller has locked the account. */
export async function recordSubscription(
  tx: Database,
  change: {
    readonly accountId: number;
    readonly from: SubscriptionState;
    readonly to: SubscriptionState;
    readonly nowMs: number;
  },
): Promise<void> {
  const { accountId, from, to, nowMs } = change;
  if (from === to) return;
  await recordSystemEvent(tx, { type: TYPE_OF_STATE[to], accountId }, nowMs);
}

/** Writes an event that follows from no action. The caller has locked the rows that it is about. */
export async function recordSystemEvent(tx: Database, draft: EventDraft, atMs: number): Promise<void> {
  const actor = { kind: 'system', id: null } as const;
  await recordEvent({ tx, atMs, actor, members: new Map(), accounts: new Map() }, draft);
}

/** Writes one event, if it applies. */
async function recordEvent(telling: Telling, draft: EventDraft): Promise<void> {
  const told = await tell(telling, draft);
  if (told === undefined) return;
  const { tx, atMs, actor } = telling;
  const { version } = EVENT_TYPES[draft.type];
  const publicId = `evt_${randomBytes(18).toString('base64url')}`;
  await insertEvent(tx, { publicId, type: draft.type, version, atMs, actor, ...told });
}

interface Told {
  readonly subject: { readonly kind: 'member' | 'account' | 'endpoint'; readonly id: number };
  readonly accountId: number | null;
  readonly data: Record<string, unknown>;
  readonly audience: EventAudience;
}

/** What an event says, as the transaction sees it; undefined if there is nothing to say. */
async function tell(telling: Telling, draft: EventDraft): Promise<Told | undefined> {
  const { tx, atMs, actor } = telling;
  if (!('accountId' in draft)) {
    const { type, memberId, changed } = draft;
    const member = await memberIn(telling, memberId);
    if (member === undefined) return undefined;
    if (type === 'member.confirmed' && member.emailConfirmedAtMs !== atMs) return undefined;
    const { isPersonnel: _, emailConfirmedAtMs: _at, ...shown } = member;
    const foreignIds = await listForeignIdsOf(tx, memberId);
    return {
      subject: { kind: 'member', id: memberId },
      accountId: null,
      data: {
        memberId,
        ...shown,
        ...(foreignIds.length > 0 && { foreignIds }),
        ...(changed && { changed }),
      },
      audience: await memberAudience(tx, memberId, { isEnding: type === 'member.removed' }),
    };
  }
  if (draft.type === 'endpoint.disabled') {
    const { accountId, endpointId } = draft;
    const endpoint = await findEndpoint(tx, { id: endpointId });
    if (endpoint === undefined) return undefined;
    return {
      subject: { kind: 'endpoint', id: endpointId },
      accountId,
      data: { endpointId, name: endpoint.description },
      audience: {
        accounts: accountId === null ? [] : [accountId],
        partners: endpoint.partnerId === null ? [] : [endpoint.partnerId],
      },
    };
  }
  if ('applicationId' in draft) return tellConsent(telling, draft);
  const { accountId } = draft;
  const account = await accountIn(telling, accountId);
  if (account === undefined || (draft.ofOwner !== undefined && draft.ofOwner !== account.ownerId))
    return undefined;
  const partners = account.createdByPartnerId === null ? [] : [account.createdByPartnerId];
  const audience = { accounts: [accountId], partners };
  const ofAccount = { subject: { kind: 'account', id: accountId }, accountId, audience } as const;
  switch (draft.type) {
    case 'account.created':
    case 'account.updated':
    case 'account.removed':
    case 'account.ssoRequired': {
      const changed = 'changed' in draft && draft.changed ? { changed: draft.changed } : {};
      return { ...ofAccount, data: { accountId, name: account.name, ...changed } };
    }
    case 'account.domainVerified':
    case 'account.domainLapsed':
      return { ...ofAccount, data: { accountId, name: account.name, domain: draft.domain } };
    case 'membership.added':
    case 'membership.roleChanged':
    case 'membership.removed': {
      const { memberId, previousRoleType, source } = draft;
      const stored = await findMembership(tx, { memberId, accountId });
      if (draft.type !== 'membership.removed' && stored?.active !== true) return undefined;
      const roleType = draft.roleType ?? stored?.roleType;
      if (roleType === undefined) return undefined;
      const by = byOf(actor, source);
      const previous = previousRoleType === undefined ? {} : { previousRoleType };
      const data = { memberId, accountId, roleType, ...previous, source: by };
      return { subject: { kind: 'member', id: memberId }, accountId, audience, data };
    }
    case 'invitation.created':
    case 'invitation.accepted':
    case 'invitation.declined':
    case 'invitation.revoked':
    case 'invitation.expired': {
      const invitation = await findInvitation(tx, draft.invitationId);
      if (invitation === undefined) return undefined;
      const { id: invitationId, roleType, email } = invitation;
      // The address is only for the inviting account.
      const own = { accounts: [accountId], partners: [] };
      return { ...ofAccount, audience: own, data: { invitationId, roleType, email } };
    }
    case 'key.created':
    case 'key.revoked': {
      const key = await findApiKey(tx, draft.keyId);
      if (key === undefined) return undefined;
      const { id: keyId, machineId, name } = key;
      return {
        ...ofAccount,
        audience: { accounts: [accountId], partners: [] },
        data: { keyId, machineId, name },
      };
    }
    default: {
      const subscription = await findSubscription(tx, accountId);
      if (subscription === undefined) return undefined;
      const { state: status, provider, trialEndsAtMs } = subscription;
      const hasTrial = status === 'trialing' && trialEndsAtMs !== null;
      if ('ofTrial' in draft && !hasTrial) return undefined;
      const trial = hasTrial ? { trialEndsAt: new Date(trialEndsAtMs).toISOString() } : {};
      return { ...ofAccount, data: { accountId, status, provider, ...trial } };
    }
  }
}

function byOf({ kind }: Actor, source: MembershipSource): MembershipSource {
  if (kind === 'scim' && source !== 'takeover') return 'scim';
  return source === 'owner' && kind === 'staff' ? 'staff' : source;
}

/**
 * An account gets the consents of its members that were given in it. Those that give access to no account are only for the
 * deployment.
 */
async function tellConsent(
  telling: Telling,
  draft: Extract<EventDraft, { readonly applicationId: number }>,
): Promise<Told> {
  const { accountId, applicationId, memberId, resourceId } = draft;
  const account = accountId === null ? undefined : await accountIn(telling, accountId);
  const stored = await listConsentsTo(telling.tx, { memberId, applicationId });
  const given = stored.find((row) => row.accountId === accountId && row.resourceId === resourceId);
  const scopes = draft.scopes ?? given?.scopes ?? [];
  const resource = resourceId === null ? undefined : await findResource(telling.tx, { id: resourceId });
  const partnerId = account?.createdByPartnerId ?? null;
  return {
    subject: { kind: 'member', id: memberId },
    accountId,
    data: {
      memberId,
      to: `application:${applicationId}`,
      ...(resource && { resource: resource.origin }),
      scopes,
    },
    audience: {
      accounts: accountId === null ? [] : [accountId],
      partners: partnerId === null ? [] : [partnerId],
    },
  };
}

async function memberIn({ tx, members }: Telling, memberId: number): Promise<EventMember | undefined> {
  if (!members.has(memberId)) members.set(memberId, await findEventMember(tx, memberId));
  return members.get(memberId);
}

async function accountIn({ tx, accounts }: Telling, accountId: number): Promise<EventAccount | undefined> {
  if (!accounts.has(accountId)) accounts.set(accountId, await findEventAccount(tx, accountId));
  return accounts.get(accountId);
}

async function actorOf(
  tx: Database,
  { action, actorId, applicationId, keyId, after }: Act,
  { members, knownActor }: Pick<Telling, 'members'> & { knownActor: KnownActor | undefined },
): Promise<Actor> {
  if (action === 'partner.user_registered') {
    const partnerId =
      typeof after === 'object' && after !== null && 'partnerId' in after ? after.partnerId : null;
    return { kind: 'partner', id: typeof partnerId === 'number' ? partnerId : null };
  }
  if (actorId === undefined || actorId === null) return { kind: 'system', id: null };
  if (keyId !== undefined && keyId !== null) return { kind: 'machine', id: actorId };
  const isOfMachine = knownActor?.id === actorId && knownActor.machine !== null;
  if (applicationId !== undefined && applicationId !== null)
    return { kind: isOfMachine ? 'machine' : 'agent', id: actorId };
  if (knownActor?.id === actorId) return { kind: knownActor.isPersonnel ? 'staff' : 'member', id: actorId };
  const member = await findEventMember(tx, actorId);
  members.set(actorId, member);
  return { kind: member?.isPersonnel === true ? 'staff' : 'member', id: actorId };
}

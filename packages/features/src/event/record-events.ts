import { randomBytes } from 'node:crypto';
import type { Database } from '@gatehouse/db/database';
import { findEventAccount, findEventMember, insertEvent, memberAudience } from '@gatehouse/db/queries/events';
import { findInvitation } from '@gatehouse/db/queries/invitations';
import { findMembership } from '@gatehouse/db/queries/memberships';
import { findSubscription } from '@gatehouse/db/queries/subscriptions';
import type { SubscriptionState } from '@gatehouse/db/tables/billing-tables';
import type { EventActorKind, EventAudience } from '@gatehouse/db/tables/event-tables';
import { EVENT_TYPES } from './event-types.js';
import { type Act, EVENTS_OF_ACTS, type EventDraft } from './events-of-acts.js';

interface Actor {
  readonly kind: EventActorKind;
  readonly id: number | null;
}

/**
 * Writes the events of an action, in the transaction of the change and its line in the audit log. The caller has locked the rows
 * that the events are about.
 */
export async function recordEvents(tx: Database, act: Act): Promise<void> {
  const drafts = EVENTS_OF_ACTS[act.action]?.(act) ?? [];
  if (drafts.length === 0) return;
  const actor = await actorOf(tx, act);
  for (const draft of drafts) await recordEvent(tx, draft, { actor, atMs: act.atMs });
}

/** Writes one event, if what it tells of is so. */
async function recordEvent(
  tx: Database,
  draft: EventDraft,
  { actor, atMs }: { readonly actor: Actor; readonly atMs: number },
): Promise<void> {
  const told = await tell(tx, draft, actor);
  if (told === undefined) return;
  const { version } = EVENT_TYPES[draft.type];
  const publicId = `evt_${randomBytes(18).toString('base64url')}`;
  await insertEvent(tx, { publicId, type: draft.type, version, atMs, actor, ...told });
}

const TYPE_OF_STATE = {
  trialing: 'subscription.trialStarted',
  active: 'subscription.activated',
  past_due: 'subscription.pastDue',
  paused: 'subscription.paused',
  canceled: 'subscription.canceled',
  expired: 'subscription.expired',
} as const;

/** Writes the event of a subscription whose state has changed, once it is stored. */
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
  const actor = { kind: 'system', id: null } as const;
  await recordEvent(tx, { type: TYPE_OF_STATE[to], accountId }, { actor, atMs: nowMs });
}

interface Told {
  readonly subject: { readonly kind: 'member' | 'account'; readonly id: number };
  readonly accountId: number | null;
  readonly data: Record<string, unknown>;
  readonly audience: EventAudience;
}

/** What an event says, as the transaction sees it; undefined if there is nothing to say. */
async function tell(tx: Database, draft: EventDraft, actor: Actor): Promise<Told | undefined> {
  if (!('accountId' in draft)) {
    const { memberId, changed } = draft;
    const member = await findEventMember(tx, memberId);
    if (member === undefined) return undefined;
    const { isPersonnel: _, ...shown } = member;
    return {
      subject: { kind: 'member', id: memberId },
      accountId: null,
      data: { memberId, ...shown, ...(changed && { changed }) },
      audience: await memberAudience(tx, memberId),
    };
  }
  const { accountId } = draft;
  const account = await findEventAccount(tx, accountId);
  if (account === undefined || (draft.ofOwner !== undefined && draft.ofOwner !== account.ownerId))
    return undefined;
  const partners = account.createdByPartnerId === null ? [] : [account.createdByPartnerId];
  const audience = { accounts: [accountId], partners };
  const ofAccount = { subject: { kind: 'account', id: accountId }, accountId, audience } as const;
  switch (draft.type) {
    case 'account.created':
    case 'account.updated':
    case 'account.removed': {
      const changed = 'changed' in draft && draft.changed ? { changed: draft.changed } : {};
      return { ...ofAccount, data: { accountId, name: account.name, ...changed } };
    }
    case 'membership.added':
    case 'membership.roleChanged':
    case 'membership.removed': {
      const { memberId, previousRoleType, source } = draft;
      const stored = await findMembership(tx, { memberId, accountId });
      if (draft.type !== 'membership.removed' && stored?.active !== true) return undefined;
      const roleType = draft.roleType ?? stored?.roleType;
      if (roleType === undefined) return undefined;
      const by = source === 'owner' && actor.kind === 'staff' ? 'staff' : source;
      const previous = previousRoleType === undefined ? {} : { previousRoleType };
      const data = { memberId, accountId, roleType, ...previous, source: by };
      return { subject: { kind: 'member', id: memberId }, accountId, audience, data };
    }
    case 'invitation.created':
    case 'invitation.accepted':
    case 'invitation.declined':
    case 'invitation.revoked': {
      const invitation = await findInvitation(tx, draft.invitationId);
      if (invitation === undefined) return undefined;
      const { id: invitationId, roleType, email } = invitation;
      // The address is for the inviting account alone.
      const own = { accounts: [accountId], partners: [] };
      return { ...ofAccount, audience: own, data: { invitationId, roleType, email } };
    }
    default: {
      const subscription = await findSubscription(tx, accountId);
      if (subscription === undefined) return undefined;
      const { state: status, provider, trialEndsAtMs } = subscription;
      // Later accounts of a member have no trial.
      if (draft.type === 'subscription.trialStarted' && (status !== 'trialing' || trialEndsAtMs === null))
        return undefined;
      const trial =
        status === 'trialing' && trialEndsAtMs !== null
          ? { trialEndsAt: new Date(trialEndsAtMs).toISOString() }
          : {};
      return { ...ofAccount, data: { accountId, status, provider, ...trial } };
    }
  }
}

async function actorOf(tx: Database, { action, actorId, after }: Act): Promise<Actor> {
  if (action === 'partner.user_registered') {
    const partnerId =
      typeof after === 'object' && after !== null && 'partnerId' in after ? after.partnerId : null;
    return { kind: 'partner', id: typeof partnerId === 'number' ? partnerId : null };
  }
  if (actorId === undefined || actorId === null) return { kind: 'system', id: null };
  const member = await findEventMember(tx, actorId);
  return { kind: member?.isPersonnel === true ? 'staff' : 'member', id: actorId };
}

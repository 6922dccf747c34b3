import type { AuditEntry } from '@gatehouse/db/queries/audit-log';
import type { AccountField, EventType, MemberField, MembershipSource } from './event.js';
import { isMemberField } from './event-types.js';

type OfSubject<Subject extends string> = Extract<EventType, `${Subject}.${string}`>;

/** An event, before the rows that it describes are read. */
export type EventDraft = DraftedEvent & {
  /**
   * It is an event only if this member owns the account: others register by an invitation into an account that already
   * exists.
   */
  readonly ofOwner?: number;
};

type DraftedEvent =
  | {
      readonly type: OfSubject<'member'>;
      readonly memberId: number;
      readonly changed?: readonly MemberField[];
    }
  | {
      readonly type: 'account.domainVerified' | 'account.domainLapsed';
      readonly accountId: number;
      readonly domain: string;
    }
  | {
      readonly type: Exclude<OfSubject<'account'>, 'account.domainVerified' | 'account.domainLapsed'>;
      readonly accountId: number;
      readonly changed?: readonly AccountField[];
    }
  | {
      readonly type: OfSubject<'membership'>;
      readonly memberId: number;
      readonly accountId: number;
      /** If absent, that of the stored membership. */
      readonly roleType?: number;
      readonly previousRoleType?: number;
      readonly source: MembershipSource;
    }
  | {
      readonly type: OfSubject<'consent'>;
      /** The account that the application acts in; null for none. */
      readonly accountId: number | null;
      readonly memberId: number;
      readonly applicationId: number;
      /** The API of the product that the consent is for; null for this service. */
      readonly resourceId: number | null;
      /** Of a withdrawn consent. Those of a given consent are read where they are stored. */
      readonly scopes?: readonly string[];
    }
  | { readonly type: 'endpoint.disabled'; readonly accountId: number | null; readonly endpointId: number }
  | { readonly type: OfSubject<'invitation'>; readonly accountId: number; readonly invitationId: number }
  | { readonly type: OfSubject<'key'>; readonly accountId: number; readonly keyId: number }
  | {
      readonly type: OfSubject<'subscription'>;
      readonly accountId: number;
      /** It is an event only if the account has a trial from us: later accounts of a member have none. */
      readonly ofTrial?: true;
    };

/** An action of the audit log, as `recordAudit` is given it. */
export type Act = Omit<AuditEntry, 'address' | 'requestId'>;

type Describe = (act: Act) => readonly EventDraft[];

/** The events that each action of the audit log causes. Other actions cause no events. */
export const EVENTS_OF_ACTS: Readonly<Record<string, Describe>> = {
  'member.registered': registered,
  'partner.user_registered': registered,
  'personnel.added': (act) => [{ type: 'member.registered', memberId: memberOf(act) }],
  'member.updated': memberUpdated,
  'profile.updated': memberUpdated,
  'address.changed': (act) => [{ type: 'member.updated', memberId: memberOf(act), changed: ['email'] }],
  'address.confirmed': confirmed,
  'password.reset': confirmed,
  'member.sign-ins-ended': confirmed,
  'member.banned': (act) => [{ type: 'member.banned', memberId: memberOf(act) }],
  'member.unbanned': (act) => [{ type: 'member.updated', memberId: memberOf(act), changed: ['banned'] }],
  'member.deleted': (act) => [{ type: 'member.removed', memberId: memberOf(act) }],
  // A member who deleted themselves is already gone.
  'member.removed': (act) =>
    stateOf(act.after)['mayComeBack'] === false ? [] : [{ type: 'member.removed', memberId: memberOf(act) }],
  'member.restored': (act) => [{ type: 'member.updated', memberId: memberOf(act), changed: ['removed'] }],
  'membership.added': membershipChanged,
  'membership.changed': membershipChanged,
  'membership.kept': membershipChanged,
  'membership.removed': membershipEnded,
  'membership.left': membershipEnded,
  'membership.restored': membershipChanged,
  'invitation.created': invitation('invitation.created'),
  'invitation.declined': invitation('invitation.declined'),
  'invitation.revoked': invitation('invitation.revoked'),
  'invitation.accepted': accepted,
  'key.created': key('key.created'),
  'key.rotated': key('key.created'),
  'key.revoked': key('key.revoked'),
  'key.leaked': key('key.revoked'),
  'account.created': (act) => {
    const accountId = accountOf(act);
    const memberId = act.actorId ?? 0;
    return [
      { type: 'account.created', accountId },
      { type: 'membership.added', memberId, accountId, source: 'account' },
      { type: 'subscription.trialStarted', accountId, ofTrial: true },
    ];
  },
  'subscription.trial-extended': (act) =>
    stateOf(act.before)['state'] === 'trialing'
      ? []
      : [{ type: 'subscription.trialStarted', accountId: accountOf(act) }],
  'consent.given': consent('consent.given'),
  'consent.withdrawn': consent('consent.withdrawn'),
  'account.renamed': (act) => [{ type: 'account.updated', accountId: accountOf(act), changed: ['name'] }],
  'account.policy-set': (act) =>
    'requiredLevel' in stateOf(act.after) || 'requiredFromMs' in stateOf(act.after)
      ? [{ type: 'account.updated', accountId: accountOf(act), changed: ['requiredLevel'] }]
      : [],
  'account.ownership-moved': (act) => [
    { type: 'account.updated', accountId: accountOf(act), changed: ['ownerId'] },
  ],
  'account.closed': (act) => [{ type: 'account.removed', accountId: accountOf(act) }],
  'account.removed': (act) => [{ type: 'account.removed', accountId: accountOf(act) }],
  'sso.policy-set': ssoPolicySet,
  'sso.domain-verified': domain('account.domainVerified'),
  'sso.domain-lapsed': domain('account.domainLapsed'),
  'endpoint.disabled': (act) => [
    { type: 'endpoint.disabled', accountId: act.accountId ?? null, endpointId: Number(act.subjectId) },
  ],
  'account.restored': (act) => [{ type: 'account.updated', accountId: accountOf(act), changed: ['removed'] }],
};

function registered(act: Act): EventDraft[] {
  const memberId = memberOf(act);
  const { accountId } = act;
  const member: EventDraft = { type: 'member.registered', memberId };
  if (typeof accountId !== 'number') return [member];
  return [
    member,
    { type: 'account.created', accountId, ofOwner: memberId },
    { type: 'membership.added', memberId, accountId, source: 'registration', ofOwner: memberId },
    { type: 'subscription.trialStarted', accountId, ofOwner: memberId, ofTrial: true },
  ];
}

/** Reported if the address was confirmed by the action itself. */
function confirmed(act: Act): EventDraft[] {
  return [{ type: 'member.confirmed', memberId: memberOf(act) }];
}

function memberUpdated(act: Act): EventDraft[] {
  const memberId = memberOf(act);
  const after = stateOf(act.after);
  // Older clients ban by a role.
  if (after['banned'] === true) return [{ type: 'member.banned', memberId }];
  const changed = Object.keys(after).filter(isMemberField);
  return changed.length === 0 ? [] : [{ type: 'member.updated', memberId, changed }];
}

/** A membership that is not active gives no access, so events do not mention it. */
function membershipChanged(act: Act): EventDraft[] {
  const before = stateOf(act.before);
  const after = stateOf(act.after);
  const place = placeOf(act);
  const source = act.action === 'membership.restored' ? 'restoration' : sourceOf(act);
  const had = act.before !== null && before['roleType'] !== null && before['active'] !== false;
  const isActive = after['active'] !== false;
  const previous = before['roleType'];
  const previousRoleType = typeof previous === 'number' ? { previousRoleType: previous } : {};
  if (act.action === 'membership.added' || act.action === 'membership.kept' || !had)
    return isActive ? [{ type: 'membership.added', ...place, source }] : [];
  if (!isActive) return [{ type: 'membership.removed', ...place, source }];
  // It was disabled until now, and its role does not change.
  if (after['active'] === true && before['active'] === false)
    return [{ type: 'membership.added', ...place, source }];
  return [{ type: 'membership.roleChanged', ...place, ...previousRoleType, source }];
}

function membershipEnded(act: Act): EventDraft[] {
  const { roleType, active } = stateOf(act.before);
  const role = typeof roleType === 'number' ? { roleType } : {};
  if (active === false) return [];
  return [{ type: 'membership.removed', ...placeOf(act), ...role, source: sourceOf(act) }];
}

function invitation(type: OfSubject<'invitation'>): Describe {
  return (act) => [{ type, accountId: accountOf(act), invitationId: Number(act.subjectId) }];
}

function consent(type: OfSubject<'consent'>): Describe {
  return ({ accountId = null, actorId, onBehalfOfId, subjectId, before, after }) => {
    const { scopes } = stateOf(before);
    const withdrawn = Array.isArray(scopes) ? { scopes: scopes.map(String) } : {};
    const { resourceId: atApi } = stateOf(after ?? before);
    const resourceId = typeof atApi === 'number' ? atApi : null;
    const ofConsent = {
      memberId: onBehalfOfId ?? actorId ?? 0,
      applicationId: Number(subjectId),
      resourceId,
    };
    return [{ type, accountId, ...ofConsent, ...withdrawn }];
  };
}

/** Reported if the account begins or ceases to require its identity provider; not if other owners are exempt. */
function ssoPolicySet(act: Act): EventDraft[] {
  const { required } = stateOf(act.after);
  if (required === undefined) return [];
  const accountId = accountOf(act);
  return required === true
    ? [{ type: 'account.ssoRequired', accountId }]
    : [{ type: 'account.updated', accountId, changed: ['ssoRequired'] }];
}

function domain(type: 'account.domainVerified' | 'account.domainLapsed'): Describe {
  return (act) => [{ type, accountId: accountOf(act), domain: String(stateOf(act.after)['domain']) }];
}

/** Keys of the staff are in no account, so there is no event. */
function key(type: OfSubject<'key'>): Describe {
  return ({ accountId, subjectId }) =>
    typeof accountId === 'number' ? [{ type, accountId, keyId: Number(subjectId) }] : [];
}

function accepted(act: Act): EventDraft[] {
  const accountId = accountOf(act);
  const told = invitation('invitation.accepted')(act);
  const wasMember = act.before !== null && stateOf(act.before)['active'] !== false;
  if (wasMember) return [...told];
  return [...told, { type: 'membership.added', memberId: act.actorId ?? 0, accountId, source: 'invitation' }];
}

function sourceOf({ action, actorId, onBehalfOfId }: Act): 'staff' | 'owner' | 'member' {
  if (action === 'membership.left' || onBehalfOfId === undefined || onBehalfOfId === actorId) return 'member';
  return 'owner';
}

function stateOf(state: unknown): Readonly<Record<string, unknown>> {
  return typeof state === 'object' && state !== null ? Object.fromEntries(Object.entries(state)) : {};
}

const accountOf = ({ accountId, subjectId }: Act): number => accountId ?? Number(subjectId);

const memberOf = ({ subjectId }: Act): number => Number(subjectId);

/** The subject of a membership is written `account/member`. */
function placeOf({ subjectId }: Act): { accountId: number; memberId: number } {
  const [accountId = '', memberId = ''] = String(subjectId).split('/');
  return { accountId: Number(accountId), memberId: Number(memberId) };
}

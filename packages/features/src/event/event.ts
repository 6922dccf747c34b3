import type { SessionEndReason } from '@gatehouse/db/queries/session-events';
import type { EventActorKind } from '@gatehouse/db/tables/event-tables';

/** What can change in a member: names of fields in `data`, and whether they are banned or removed. */
export type MemberField = 'username' | 'firstName' | 'lastName' | 'email' | 'banned' | 'removed';

/** The same of an account. */
export type AccountField = 'name' | 'ownerId' | 'requiredLevel' | 'ssoRequired' | 'removed';

/** What caused a change of a membership. */
export type MembershipSource =
  | 'registration'
  | 'account'
  | 'invitation'
  | 'staff'
  | 'owner'
  | 'member'
  | 'restoration'
  | 'takeover'
  | 'scim';

interface MemberData {
  memberId: number;
  username: string;
  firstName: string;
  lastName: string;
  /** Null unless the member has confirmed it. */
  email: string | null;
  /** The ids of the member in the systems that they were imported from; absent without one. */
  foreignIds?: { source: string; id: string }[] | undefined;
  changed?: MemberField[] | undefined;
}

interface MembershipData {
  memberId: number;
  accountId: number;
  roleType: number;
  previousRoleType?: number | undefined;
  source: MembershipSource;
}

interface AccountData {
  accountId: number;
  name: string;
  changed?: AccountField[] | undefined;
}

interface DomainData {
  accountId: number;
  name: string;
  /** In ASCII. */
  domain: string;
}

interface SubscriptionData {
  accountId: number;
  status: 'trialing' | 'active' | 'past_due' | 'paused' | 'canceled' | 'expired';
  provider: string | null;
  /** In ISO 8601. */
  trialEndsAt?: string | undefined;
}

interface InvitationData {
  invitationId: number;
  roleType: number;
  email: string;
}

interface SessionStartData {
  memberId: number;
  /** The number of the session in lists of sessions. */
  sessionId: number;
  /** Whether its token is sent in the token header, or as a bearer. */
  kind: 'session' | 'bearer';
  /** How the member was authenticated, separated by blanks, such as `pwd totp`; empty if that is not known. */
  method: string;
}

interface SessionEndData extends SessionStartData {
  reason: SessionEndReason;
}

interface ConsentData {
  memberId: number;
  /** The kind and the id of what they approved: `application:7`. */
  to: string;
  /** The origin of the API of the product that it calls; absent for this service. */
  resource?: string | undefined;
  /** What it may do; for a withdrawn consent, what it could do before. */
  scopes: string[];
}

interface EndpointData {
  endpointId: number;
  /** Its description. */
  name: string;
}

interface KeyData {
  keyId: number;
  machineId: number;
  name: string;
}

/** The type of `data` by the type of the event. */
export interface EventData {
  'member.registered': MemberData;
  'member.updated': MemberData;
  'member.confirmed': MemberData;
  'member.banned': MemberData;
  'member.removed': MemberData;
  'membership.added': MembershipData;
  'membership.roleChanged': MembershipData;
  'membership.removed': MembershipData;
  'account.created': AccountData;
  'account.updated': AccountData;
  'account.removed': AccountData;
  'account.ssoRequired': AccountData;
  'account.domainVerified': DomainData;
  'account.domainLapsed': DomainData;
  'subscription.trialStarted': SubscriptionData;
  'subscription.activated': SubscriptionData;
  'subscription.pastDue': SubscriptionData;
  'subscription.paused': SubscriptionData;
  'subscription.canceled': SubscriptionData;
  'subscription.expired': SubscriptionData;
  'invitation.created': InvitationData;
  'invitation.accepted': InvitationData;
  'invitation.declined': InvitationData;
  'invitation.revoked': InvitationData;
  'invitation.expired': InvitationData;
  'session.started': SessionStartData;
  'session.ended': SessionEndData;
  'consent.given': ConsentData;
  'consent.withdrawn': ConsentData;
  'endpoint.disabled': EndpointData;
  'endpoint.ping': EndpointData;
  'key.created': KeyData;
  'key.revoked': KeyData;
}

/** The name of a kind of event, such as `membership.added`. */
export type EventType = keyof EventData;

/** An event as feeds and endpoints contain it. Its `type` determines the form of its `data`. */
export type GatehouseEvent = {
  [Type in EventType]: {
    /** The same each time that the event is sent. */
    readonly id: string;
    readonly type: Type;
    readonly version: number;
    /** When the change was made, in ISO 8601. */
    readonly timestamp: string;
    /** The kind and the id of what has changed: `member:3`. */
    readonly subject: string;
    /** Counts the events of the subject, from 1; for those of a session, 1 is its start and 2 its end. */
    readonly subjectVersion: number;
    readonly accountId: number | null;
    readonly actor: { readonly kind: EventActorKind; readonly id?: number };
    readonly data: EventData[Type];
  };
}[EventType];

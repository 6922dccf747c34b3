import type { Permission, StaffPermission } from './permissions.js';

/** A custom role of an account. It ranks as a built-in role, and has exactly the listed permissions. */
export interface CustomRole {
  readonly id: number;
  readonly name: string;
  /** The built-in role it ranks as. */
  readonly roleType: number;
  readonly permissions: ReadonlySet<Permission>;
}

/** A member's state at one moment. It has live rows only (active, not deleted). */
export interface AccessSnapshot {
  readonly id: number;
  readonly roleType: number;
  readonly isPersonnel: boolean;
  readonly isDeleted: boolean;
  /** Sessions of another epoch are over. */
  readonly sessionEpoch: number;
  /** Tokens without a session row are valid only if they were issued after this, in epoch milliseconds. */
  readonly tokensValidAfterMs: number;
  /** The impersonation a member of staff has begun and not ended. */
  readonly impersonationId: number | null;
  /** The role in each account the member belongs to. */
  readonly memberships: ReadonlyMap<number, number>;
  /** The member's custom role in each account. Undefined if the role no longer exists. */
  readonly customRoles?: ReadonlyMap<number, CustomRole | undefined>;
  /** The accounts granted to this staff member. */
  readonly grants: ReadonlySet<number>;
  /** The actor of an impersonation, whose own permissions limit it. */
  readonly actor?: AccessSnapshot | undefined;
  /** The scopes of the API key of a machine, which limit its permissions; undefined for a person. */
  readonly scopes?: ReadonlySet<string> | undefined;
}

/** What a decision needs to know of an account; undefined when it does not exist. */
export type AccountFacts =
  | {
      readonly isDeleted: boolean;
      /** The level of authentication that a session needs there; 1 if it is absent. */
      readonly requiredLevel?: number;
      /** When that takes effect, and the level until then. */
      readonly requiredFromMs?: number | null;
      readonly requiredUntilThen?: number;
      readonly id?: number;
      /** Whether its members must sign in by its identity provider, and which owners need not. */
      readonly sso?: { readonly required: boolean; readonly exemptIds: readonly number[] } | null;
    }
  | undefined;

/** How the caller of a session was authenticated, and the level that their work as staff requires. */
export interface LevelFacts {
  readonly nowMs: number;
  /** The level the session has reached. */
  readonly reached: number;
  /** The highest level that the caller's factors reach. */
  readonly factors: number;
  /** The level required of the caller as staff; 1 requires nothing more. */
  readonly staff: number;
  /** Whether the session may only add a factor. */
  readonly isEnrolment: boolean;
  /** The account whose identity provider began the session, and the level that the session has there. */
  readonly sso?: { readonly accountId: number; readonly level: number } | undefined;
  /** The member, if an account may require its identity provider of them; undefined for staff and programs. */
  readonly federated?:
    | { readonly memberId: number; readonly isOwnerOf: (accountId: number) => boolean }
    | undefined;
}

/** Who requires a level of authentication, and which level. */
export interface RequiredLevel {
  readonly level: number;
  readonly by: 'staff' | 'account';
}

/** The state of the impersonation that a session belongs to. */
export interface ImpersonationFacts {
  readonly id: number;
  /** The actor's epoch when it began. */
  readonly actorEpoch: number;
  /** The account for which it was begun, if there was one. */
  readonly accountId: number | null;
  readonly account: AccountFacts;
  /** Whether its time is up. */
  readonly isExpired: boolean;
}

/**
 * Why a session is over although nobody ended it: its token was refreshed a while ago, it was not used for too long, or it has
 * reached the maximum age.
 */
export type SessionLapse =
  | 'refreshed'
  | 'idle'
  | 'too old'
  | 'ended with its partner'
  | 'ended with its connection';

/** The state of a call's session. */
export interface SessionFacts {
  readonly isRevoked: boolean;
  /** Undefined for tokens of the replaced system. */
  readonly row:
    | { readonly memberId: number; readonly epoch: number; readonly endedAtMs: number | null }
    | undefined;
  readonly issuedAtMs: number;
  /** Set where its time is over. */
  readonly lapse?: SessionLapse | undefined;
  /** Undefined for a session of the member's own. */
  readonly impersonation: ImpersonationFacts | undefined;
}

/** The question about a member; without fields, whether they may sign in at all. */
export interface AccessQuestion {
  readonly session?: SessionFacts;
  readonly accountId?: number;
  readonly account?: AccountFacts;
  /** In that account. */
  readonly permission?: Permission | undefined;
  /** Whether they must be staff, and with which permission. */
  readonly staff?: { readonly permission: StaffPermission | undefined };
  /** Whether they can sign in; `lock` says what keeps them from trying. */
  readonly signIn?: { readonly lock: string | null };
  /** Whether the session was authenticated well enough. Asked after everything else. */
  readonly level?: LevelFacts;
}

/** Why access is refused: a code of the catalogue. */
export type AccessRefusal =
  | 'unauthorized'
  | 'account_required'
  | 'account_forbidden'
  | 'permission_denied'
  | 'insufficient_scope'
  | 'invalid_credentials'
  | 'rate_limited'
  | LevelRefusal;

/**
 * Why a session is not enough: the caller has no factor of the level, has not used one in the session, or did not sign in through
 * the account's identity provider.
 */
export type LevelRefusal = 'enrolment_required' | 'verification_required' | 'sso_required';

/**
 * How a member may act in an account: as its member, as staff through a grant, as staff with every account, or
 * not at all. `role` is the role number whose permissions apply. `reason` is undefined where the answer is yes.
 */
export type AccessDecision =
  | {
      readonly access: 'member' | 'grant' | 'all';
      readonly role: number;
      readonly permissions: ReadonlySet<Permission>;
      /** Set if the permissions come from a custom role. */
      readonly customRole: CustomRole | undefined;
      readonly reason: 'permission_denied' | 'insufficient_scope' | LevelRefusal | undefined;
    }
  | {
      readonly access: 'none';
      readonly role: null;
      readonly permissions: ReadonlySet<Permission>;
      readonly customRole: undefined;
      readonly reason: AccessRefusal | undefined;
    };

/** The facts of an access decision. */
export const ACCESS_FACTS = [
  'logPosition',
  'memberStatus',
  'confirmation',
  'recovery',
  'lock',
  'sessionEpoch',
  'session',
  'impersonation',
  'subscription',
  'accountState',
  'staff',
  'baseRole',
  'membership',
  'grant',
  'permission',
  'singleSignOn',
  'policy',
  'requiredLevel',
  'level',
] as const;

export type AccessFact = (typeof ACCESS_FACTS)[number];

/**
 * One step of a decision: a fact, how it was found, and its effect. `allows` and `denies` end the decision, `passes` leads to the
 * next fact, and `none` marks a fact that was read but has no effect here.
 */
export interface AccessLink {
  /** A fact of the staff who act for the member begins with `actor.`. */
  readonly fact: AccessFact | `actor.${AccessFact}`;
  readonly value: string | number | boolean | null;
  readonly effect: 'none' | 'passes' | 'allows' | 'denies';
}

import {
  type CredentialKind,
  type ErrorCode,
  isStaffPermission,
  type Permission,
  type StaffPermission,
} from '@gatehouse/auth-core';

/** A procedure's description for documents, beyond its guard and schemas. */
export interface ProcedureAbout {
  readonly summary: string;
  /** The refusals of the procedure's body. Those of its guard and input are implied. */
  readonly refuses?: readonly ErrorCode[];
  /** What `invalid_credentials` may be about; e-mail and password unless said. */
  readonly credentials?: readonly CredentialKind[];
  /** The tag of its operation, if it does not follow from its guard. */
  readonly tag?: Tag;
  /** Whether the `Apptype` header names the application of a login. */
  readonly readsApptype?: boolean;
  /** The maximum size of its body in bytes, if that is not 100 kB. A batch has no more than that. */
  readonly maxBodyBytes?: number;
}

/** How recently the caller must have verified that they are the member. */
export interface Freshness {
  readonly seconds: number;
  /** Whether it is required only of callers whose sign-ins take a second step, or for whom a policy requires a level. */
  readonly onlyWithSecondFactor?: true;
}

/**
 * The rule about who may call a procedure. Its guard adds it as metadata, so that documents and tests can
 * check all procedures.
 */
export type Rule =
  | { readonly who: 'anyone' }
  | { readonly who: 'bearer' }
  | { readonly who: 'partner' }
  | {
      readonly who: 'member';
      /** Whether sessions begun by a partner are refused. */
      readonly inPerson?: true;
      /** The permission that it needs in a selected account. It can also be called without one. */
      readonly permissionInAccount?: Permission;
      readonly fresh?: Freshness;
      /** Whether it is refused to staff who act for the member, because its effect would outlast that. */
      readonly byThemselves?: true;
      /** Whether it stays possible in a read-only session. */
      readonly signsOut?: true;
      /** Whether it may be called in a session that was not authenticated well enough for anything else. */
      readonly opensBelowLevel?: true;
      /** Whether it may be called in the session of an open recovery, without a recent verification. */
      readonly opensInRecovery?: true;
      /** Whether machines may call it, in place of people who signed in by themselves and verified lately. */
      readonly programs?: true;
    }
  | {
      readonly who: 'account';
      readonly permission: Permission;
      /** Whether staff may omit the account: the call is then about all their accounts. */
      readonly staffWithoutAccount?: true;
      /** Whether callers without the permission may see what they participate in. */
      readonly orOwn?: true;
      readonly inPerson?: true;
      /** Whether it requires staff. */
      readonly staffOnly?: true;
      readonly fresh?: Freshness;
      /** Whether only the primary owner of the account may call it. */
      readonly primaryOwner?: true;
      /** Whether the level of authentication that the account requires does not matter. */
      readonly atAnyLevel?: true;
      /** Whether the account's plan must include it. */
      readonly entitled?: true;
      /** Whether machines may call it, in place of people who signed in by themselves and verified lately. */
      readonly programs?: true;
    }
  | {
      readonly who: 'staff';
      readonly permission?: StaffPermission;
      readonly inAccounts?: never;
      readonly fresh?: Freshness;
    }
  | {
      readonly who: 'staff';
      readonly permission: Permission | StaffPermission;
      /** Whether the call is about the accounts of the caller, which selecting one limits to that one. */
      readonly inAccounts: true;
      readonly fresh?: Freshness;
    }
  | { readonly who: 'root'; readonly fresh?: Freshness }
  | { readonly who: 'authToken' };

/** The metadata of every procedure. The guard adds the rule. */
export interface ProcedureMeta {
  readonly rule?: Rule;
  readonly about?: ProcedureAbout;
}

/**
 * Whether a rule is open to programs: not what people must do in person or after a recent verification, unless the rule allows
 * programs, and nothing that needs no permission.
 */
export function isOpenToPrograms(rule: Rule): boolean {
  if ('programs' in rule && rule.programs) return true;
  const isForPeople = 'inPerson' in rule || 'fresh' in rule || 'primaryOwner' in rule || 'staffOnly' in rule;
  const isOpen = rule.who === 'account' || (rule.who === 'staff' && isStaffPermission(rule.permission));
  return isOpen && !isForPeople;
}

/** Who may call a procedure, as a phrase in Markdown. */
export function describeRule(rule: Rule | undefined): string {
  switch (rule?.who) {
    case undefined:
      return 'nobody';
    case 'anyone':
      return 'anyone';
    case 'bearer':
      return 'a Scheme B bearer token';
    case 'partner':
      return 'a partner';
    case 'authToken':
      return "a staff member's auth token";
    case 'member':
      return [
        rule.inPerson ? 'a member who signed in by themselves' : 'a signed-in member',
        rule.permissionInAccount
          ? `, with \`${rule.permissionInAccount}\` in the account if one is selected`
          : '',
        rule.byThemselves ? ', not staff acting for them' : '',
        rule.fresh ? lately(rule.fresh) : '',
        rule.fresh && rule.opensInRecovery ? ', or in a recovery' : '',
        rule.programs ? ', or a machine' : '',
      ].join('');
    case 'account':
      return [
        rule.staffOnly ? 'staff with ' : '',
        rule.primaryOwner ? 'the primary owner of the account' : `\`${rule.permission}\` in the account`,
        rule.inPerson ? ', signed in by themselves' : '',
        rule.fresh ? lately(rule.fresh) : '',
        rule.programs ? ', or a machine' : '',
        rule.orOwn ? ', or what is their own' : '',
        rule.staffWithoutAccount ? '; staff without one too' : '',
        rule.entitled ? ', which has a subscription' : '',
      ].join('');
    case 'staff':
      return [
        rule.permission ? `staff with \`${rule.permission}\`` : 'staff',
        rule.fresh ? lately(rule.fresh) : '',
      ].join('');
    case 'root':
      return `staff of base role 0${rule.fresh ? lately(rule.fresh) : ''}`;
  }
}

function lately({ seconds, onlyWithSecondFactor }: Freshness): string {
  const verified = `, verified within ${seconds / 60} minutes`;
  return onlyWithSecondFactor ? `${verified} if they sign in in two steps` : verified;
}

/** The tags of operations, by reader: each with its audience or purpose. */
export const TAGS = {
  public: 'Without a session: signing in, registering, and what the links of mails are about.',
  member: 'For a signed-in member: their own sessions, ways to sign in, profile, invitations and accounts.',
  account: 'In the account that `Accountid` selects: its members, invitations, roles and payments.',
  partner: 'For partners, who register members of theirs and sign them on.',
  staff: 'For staff, who look after members, accounts, partners and payments.',
  webhooks: 'Where payment and social providers report events.',
  machines: 'For load balancers, monitors and generators of clients.',
  oauth: 'For other applications: signing people in with OAuth 2.1 and OpenID Connect.',
  pages: 'Pages and redirects for browsers, and the mails of a development service.',
  compatibility:
    'The paths of the replaced system, with its names. Each leads to a procedure that has a path of its own.',
} as const;

export type Tag = keyof typeof TAGS;

import { ROLES } from '@gatehouse/client-sdk/admin';
import type { Me } from '../session/me.js';
import type { MemberPage } from './member-page.js';

/** What staff may do about a member, as far as they can see the member's accounts. */
export interface WhatOneMay {
  /** To unlock, to mail, to see sessions. */
  readonly serve: boolean;
  /** To change names, and to end sessions. */
  readonly change: boolean;
  /** To ban, and to change the address. */
  readonly changeEverywhere: boolean;
}

/** Roles that rank above those of staff who are not of role 0. */
const ABOVE: readonly number[] = [ROLES.admin, ROLES.owner];

/** The service decides by the same rules; in accounts that are not shown it may know more, and refuse. */
export function whatOneMay(me: Me, { member, status, memberships }: MemberPage): WhatOneMay {
  const isThere = status === 'live' || status === 'banned';
  if (me.allAccounts) return { serve: isThere, change: isThere, changeEverywhere: isThere };
  const managed = new Set(
    me.grants.flatMap(({ accountId, permissions }) =>
      permissions.includes('member.manage') ? [accountId] : [],
    ),
  );
  const serve = isThere && !member.isPersonnel && memberships.some(({ accountId }) => managed.has(accountId));
  const change =
    serve &&
    ![member.role_type, ...memberships.map(({ roleType }) => roleType)].some((role) => ABOVE.includes(role));
  return {
    serve,
    change,
    changeEverywhere: change && memberships.every(({ accountId }) => managed.has(accountId)),
  };
}

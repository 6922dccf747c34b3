import type { Me } from '../session/me.js';
import { mayGiveRole } from '../session/roles.js';
import type { AccountPage } from './account-page.js';

/** What staff may do about an account. */
export interface WhatOneMay {
  /** To invite, to change roles, and to remove people. */
  readonly manage: boolean;
  /** To extend the trial, to hand the account over, and to delete it. */
  readonly decide: boolean;
  /** To see what it asks of those who sign in. */
  readonly seePolicy: boolean;
  /** Whether they give a role there, or change somebody who has it. */
  mayGive(roleType: number): boolean;
}

/** The service decides by the same rules. */
export function whatOneMay(me: Me, { account, state }: AccountPage): WhatOneMay {
  const isLive = state === 'live';
  const grant = me.grants.find(({ accountId }) => accountId === account.id);
  const may = (permission: string) =>
    isLive && (me.allAccounts || grant?.permissions.includes(permission) === true);
  return {
    manage: may('member.manage'),
    decide: isLive && me.allAccounts,
    seePolicy: may('account.manage'),
    mayGive: (roleType) => mayGiveRole(me.allAccounts ? me.member.role_type : (grant?.role ?? -1), roleType),
  };
}

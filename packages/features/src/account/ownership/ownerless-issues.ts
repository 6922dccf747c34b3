import type { InputIssue } from '@gatehouse/auth-core';

type NamedAccount = { readonly id: number; readonly name: string };

/** The accounts that a refused change would leave without their primary owner; the path has the id. */
export function ownerlessIssues(accounts: readonly NamedAccount[]): InputIssue[] {
  return accounts.map(({ id, name }) => ({
    path: `accounts.${id}`,
    message: `The account "${name}" would be left without its primary owner`,
  }));
}

/** The accounts that a refused change would close while a subscription runs; the path has the id. */
export function subscribedIssues(accounts: readonly NamedAccount[]): InputIssue[] {
  return accounts.map(({ id, name }) => ({
    path: `accounts.${id}`,
    message: `The account "${name}" has a subscription that is not over`,
  }));
}

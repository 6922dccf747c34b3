import type { InputIssue } from '@gatehouse/auth-core';

/**
 * The accounts that a refused change would leave without their owner, or close while a subscription runs: the
 * path has the id, the message the name.
 */
export function ownerlessIssues(accounts: readonly { id: number; name: string }[]): InputIssue[] {
  return accounts.map(({ id, name }) => ({ path: `accounts.${id}`, message: name }));
}

import type { MainOutputs } from '@gatehouse/client-sdk';

export type TeamMember = MainOutputs['member']['list']['data'][number];

/** How a member is called in lists. */
export function nameOf({ firstName, lastName, username }: TeamMember): string {
  return [firstName, lastName].filter((part) => part !== '').join(' ') || username;
}

import type { MainOutputs } from '@gatehouse/client-sdk';

export type TeamMember = MainOutputs['member']['list']['data'][number];

/** The fields by which a member is named. */
export type NamedMember = Pick<TeamMember, 'id' | 'firstName' | 'lastName' | 'username'>;

/** How a member is called in lists. */
export function nameOf({ firstName, lastName, username }: NamedMember): string {
  return [firstName, lastName].filter((part) => part !== '').join(' ') || username;
}

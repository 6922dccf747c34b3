import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { gatehouse } from '../client.js';

/** All that the service tells about an account. */
export type AccountPage = AdminOutputs['account']['page']['data'];

/** A member of an account, with their place in it and what staff do about them there. */
export type PlacedMember = AdminOutputs['member']['list']['data'][number];

export type Invitation = AdminOutputs['invitation']['list']['data'][number];

/** What everything that was read of an account is kept under. */
export const accountKey = (accountId: number) => ['account', accountId] as const;

/** The account of the path; NaN where it names none, which the service refuses. */
export function useAccountId(): number {
  const { accountId = '' } = useParams({ strict: false });
  return Number(accountId);
}

export function useAccountPage(accountId: number) {
  return useQuery({
    queryKey: [...accountKey(accountId), 'page'],
    queryFn: async ({ signal }) => (await gatehouse.api.account.page.query({ accountId }, { signal })).data,
  });
}

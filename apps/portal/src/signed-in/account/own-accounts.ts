import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../../client.js';

/** One's accounts, closed ones that can be restored included. */
export function useOwnAccounts() {
  return useQuery({
    queryKey: ['you', 'accounts'],
    queryFn: ({ signal }) => gatehouse.api.account.listMine.query({ limit: 200 }, { signal }),
  });
}

/** Whether whoever is signed in is the primary owner of an account; undefined while that is not known. */
export function useIsPrimaryOwner(accountId: number): boolean | undefined {
  const { data } = useOwnAccounts();
  return data?.data.some(({ id, isPrimaryOwner }) => id === accountId && isPrimaryOwner);
}

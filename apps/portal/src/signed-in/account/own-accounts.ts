import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../../client.js';
import { isReadOnly, type OwnPlace, useMe } from '../session/me.js';

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

/** Tells which accounts one may leave: those one belongs to and does not own. False while that is not known. */
export function useMayLeave(): (place: OwnPlace) => boolean {
  const me = useMe();
  const { data } = useOwnAccounts();
  return ({ accountId, requires, permissions }) =>
    !isReadOnly(me) &&
    requires === null &&
    permissions.includes('account.read') &&
    data?.data.some(({ id, isPrimaryOwner }) => id === accountId && !isPrimaryOwner) === true;
}

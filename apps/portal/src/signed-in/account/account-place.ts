import type { MainApi, Permission } from '@gatehouse/client-sdk';
import { useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { gatehouse } from '../../client.js';
import { isReadOnly, type OwnPlace, useMe } from '../session/me.js';

export const PlaceContext = createContext<OwnPlace | undefined>(undefined);

/** The account of the path, and what the person signed in may do there. */
export interface Place extends OwnPlace {
  /** The calls of the service, in this account. */
  readonly api: MainApi;
  /** Whether a call that reads is permitted. */
  maySee(permission: Permission): boolean;
  /** Whether a call that changes something is permitted. */
  mayDo(permission: Permission): boolean;
  /** The cache key of everything read of the account. */
  readonly key: readonly ['account', number];
}

/** The account of the path. Only screens below `/a/:account` have one. */
export function usePlace(): Place {
  const me = useMe();
  const place = useContext(PlaceContext);
  if (place === undefined) throw new Error('This is not within an account');
  const maySee = (permission: Permission) => place.permissions.includes(permission);
  return {
    ...place,
    api: gatehouse.withAccount(place.accountId).api,
    maySee,
    mayDo: (permission) => maySee(permission) && !isReadOnly(me),
    key: ['account', place.accountId],
  };
}

/** One's accounts, closed ones that can be restored included. */
export function useOwnAccounts() {
  return useQuery({
    queryKey: ['you', 'accounts'],
    queryFn: ({ signal }) => gatehouse.api.account.listMine.query({ limit: 200 }, { signal }),
  });
}

/** Whether the person signed in is the primary owner of an account; undefined while unknown. */
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

const KEY = 'gatehouse.account';

/** Remembers in which account this tab acted last. */
export function recordAccount(accountId: number): void {
  try {
    sessionStorage.setItem(KEY, String(accountId));
  } catch {
    // Without storage the first account is offered.
  }
}

export function lastAccount(): number | undefined {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept === null ? undefined : Number(kept);
  } catch {
    return undefined;
  }
}

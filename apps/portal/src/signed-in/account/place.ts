import type { MainApi, Permission } from '@gatehouse/client-sdk';
import { createContext, useContext } from 'react';
import { gatehouse } from '../../client.js';
import { isReadOnly, type OwnPlace, useMe } from '../session/me.js';

export const PlaceContext = createContext<OwnPlace | undefined>(undefined);

/** The account of the path, and what whoever is signed in may do there. */
export interface Place extends OwnPlace {
  /** The calls of the service, in this account. */
  readonly api: MainApi;
  /** Whether a call that reads is permitted. */
  maySee(permission: Permission): boolean;
  /** Whether a call that changes something is permitted. */
  mayDo(permission: Permission): boolean;
  /** What everything that was read of the account is kept under. */
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

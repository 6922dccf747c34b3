import { useQuery } from '@tanstack/react-query';
import { useMe } from '../../session/me.js';
import { factorsQuery } from '../security/factors.js';
import type { OwnConnection } from './own-connection.js';

/** Whether somebody has no other way to sign in than their one connection, which the service then keeps. */
export function useOnlyWayIn(connections: readonly OwnConnection[]): boolean {
  const { member } = useMe();
  const isAlone = member.email === null && connections.length === 1;
  const factors = useQuery({ ...factorsQuery, enabled: isAlone });
  return isAlone && (factors.data === undefined || factors.data.data.passkeys === 0);
}

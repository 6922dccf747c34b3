import { useQuery } from '@tanstack/react-query';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import type { Factors } from './factors.js';

/** Whether somebody has no other way to sign in than their one passkey, which the service then keeps. */
export function useIsOnlyWayIn({ passkeys }: Factors): boolean {
  const { member } = useMe();
  const isAlone = passkeys === 1 && member.email === null && !member.hasPassword;
  const connections = useQuery({
    queryKey: ['you', 'connections', 'first'],
    queryFn: ({ signal }) => gatehouse.api.social.list.query({ limit: 1 }, { signal }),
    enabled: isAlone,
  });
  return isAlone && (connections.data === undefined || connections.data.data.length === 0);
}

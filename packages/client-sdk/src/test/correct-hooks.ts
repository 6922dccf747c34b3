import { createMainClient } from '@gatehouse/client-sdk';
import {
  GatehouseProvider,
  type Me,
  useAccount,
  useMe,
  usePermission,
  useSession,
} from '@gatehouse/client-sdk/react';

const gatehouse = createMainClient({ url: 'http://127.0.0.1:4000' });

export function CorrectInReact(): unknown {
  const isSignedIn: boolean | undefined = useSession().isSignedIn;
  const me: Me | undefined = useMe().me;
  const { account, select } = useAccount();
  select(null);
  const may: boolean | undefined = usePermission('member.list');
  const { initial } = { initial: { me: me ?? null, accountId: account?.accountId } };
  return may && isSignedIn && GatehouseProvider({ client: gatehouse, initial });
}

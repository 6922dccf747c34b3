import { createAdminClient } from '@gatehouse/client-sdk/admin';
import { GatehouseProvider, usePermission, useSession } from '@gatehouse/client-sdk/react';

const admin = createAdminClient({ url: 'http://127.0.0.1:4001' });

/** The compiler must refuse each line. A line it accepts is an error itself. */
export function WrongInReact(): unknown {
  // @ts-expect-error -- a misspelt permission
  usePermission('acount.read');
  // @ts-expect-error -- it may be unknown who is signed in
  const known: boolean = useSession().isSignedIn;
  // @ts-expect-error -- the hooks are of the main service
  return GatehouseProvider({ client: admin, initial: { me: known } });
}

import { createAdminClient } from '@gatehouse/client-sdk/admin';

/** The service that serves these pages. The session is in a cookie that no script can read. */
export const gatehouse = createAdminClient({ url: location.origin, session: 'cookie' });

import { createMainClient } from '@gatehouse/client-sdk';

/** The service that serves these pages. The session is in a cookie that no script can read. */
export const gatehouse = createMainClient({ url: location.origin, session: 'cookie' });

import { bearer } from './bearer.js';
import { web } from './web.js';

/** The logins that both deployments have. */
export const loginProcedures = { bearer, web };

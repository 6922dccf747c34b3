export type { PendingStep } from './server/pending-step.js';
export { isForeignRequest, type OwnOrigins, requestCookies } from './server/request-cookies.js';
export {
  type AdminServerClient,
  createAdminServerClient,
  createServerClient,
  type RequestClient,
  type ServerClient,
  type ServerClientOptions,
} from './server/server-client.js';
export type { CookieOptions, ServerCookies } from './server/server-cookies.js';

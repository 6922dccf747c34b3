import type { RetryPolicy } from './retry-wait.js';
import type { TokenStore } from './token-store.js';

export interface ClientOptions {
  /** The base address of the deployment, such as `https://api.example.com`. */
  url: string;
  /** Where the session token is kept; in memory by default. */
  store?: TokenStore;
  /** The header of session tokens, if the deployment has renamed it. */
  tokenHeader?: string;
  /** The application that signs in: `web`, `mobile`, `designer`, `admin` or a name of the deployment. */
  application?: string;
  /** The retry policy; false turns retries off. */
  retry?: Partial<RetryPolicy> | false;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

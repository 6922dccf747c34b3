import type { RetryPolicy } from './retry-wait.js';
import type { TokenStore } from './token-stores.js';
import type { Proof, VerificationNeed } from './verification.js';

export interface ClientOptions {
  /** The base address of the deployment, such as `https://api.example.com`. */
  url: string;
  /**
   * Where the session token is kept; in memory by default. On a server, pass one: a shared session would be that of everybody
   * whom the server serves.
   */
  store?: TokenStore;
  /**
   * Where the session is: in a token of this client, or in a cookie of the browser that no script can read. The page must be of
   * the service's own origin, or of one of its COOKIE_ORIGINS. In cookie mode `store` keeps only when the session ends, not a
   * token; by default in `localStorage`, separately for each `url`.
   */
  session?: 'token' | 'cookie';
  /**
   * Called when a call requires a new verification. Ask for one of `methods` and return it: the client proves it and repeats the
   * call once. Undefined gives up, and the call fails with `verification_required`.
   */
  onVerification?: (need: VerificationNeed) => Promise<Proof | undefined>;
  /** Whether the session is refreshed while it is used, past half of its token's life; true by default. */
  refresh?: boolean;
  /**
   * The id of this device: 16 to 128 letters, digits, `-` and `_`. The service recognizes the device by it, and mails members
   * about sign-ins from others. In a page it is random and in `localStorage` by default; null sends none. On a server there is
   * none.
   */
  deviceId?: string | null;
  /** The header of session tokens, if the deployment has renamed it. */
  tokenHeader?: string;
  /** The application that signs in: `web`, `mobile`, `designer`, `admin` or a name of the deployment. */
  application?: string;
  /** The retry policy; false turns retries off. */
  retry?: Partial<RetryPolicy> | false;
  /** Sends the requests instead of the global `fetch`. */
  fetch?: typeof globalThis.fetch;
}

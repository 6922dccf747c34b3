import type { Database } from '@gatehouse/db/database';
import type { Logger } from '@gatehouse/runtime/log/log';
import type { Metrics } from '@gatehouse/runtime/metrics/create-metrics';
import type { Tracing } from '@gatehouse/runtime/tracing/tracing';
import type { Call } from './http-call.js';
import type { HttpConfig } from './http-config.js';
import type { SessionCookies } from './session-cookies.js';

/** The services the server itself uses. */
export interface HttpServices {
  readonly deployment: { readonly application: string };
  readonly config: HttpConfig;
  readonly cookies: SessionCookies;
  readonly db: Pick<Database, 'hasRoom' | 'pendingMigrations'>;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, 'observeRequest' | 'render'>;
  readonly tokens: KnownTokens;
  readonly tracing?: Tracing;
}

/** The context of every procedure and row: the call, and the deployment's services. */
export interface RequestContext<Services extends HttpServices = HttpServices> {
  readonly call: Call;
  readonly services: Services;
}

/** Reports which tokens are valid. */
export interface KnownTokens {
  /** The lower-case name of the header that carries session tokens. */
  readonly headerName: string;
  /** Whether this token was verified recently. Only a look-up. */
  remembers(kind: 'session' | 'bearer', token: string): boolean;
  opens(kind: 'session' | 'bearer', token: string): boolean;
}

import type { AnyTRPCRouter } from '@trpc/server';
import type { HttpConfig } from '../server/http-config.js';
import { createSessionCookies } from '../server/session-cookies.js';
import type { DescribedDeployment } from './open-api-document.js';

/** A deployment with what documents need to know of its configuration. */
export interface DescribedService {
  readonly name: string;
  readonly version: string;
  readonly application: string;
  readonly router: AnyTRPCRouter;
  readonly hasLanding: boolean;
  readonly config: Pick<
    HttpConfig,
    'APP_URL' | 'BASE_URL' | 'COOKIE_ORIGINS' | 'NODE_ENV' | 'TOKEN_HEADER_KEY'
  >;
}

/** A deployment with its table, as documents describe it. */
export function describedDeployment(
  { name, version, application, router, hasLanding, config }: DescribedService,
  rows: DescribedDeployment['rows'],
): DescribedDeployment {
  return {
    name,
    version,
    router,
    rows,
    hasLanding,
    tokenHeader: config.TOKEN_HEADER_KEY,
    sessionCookie: createSessionCookies(config, application).name,
    frontEnd: config.APP_URL,
    server: {
      url: config.BASE_URL,
      environment: `The ${config.NODE_ENV} service`,
      isInternal: application === 'admin',
    },
  };
}

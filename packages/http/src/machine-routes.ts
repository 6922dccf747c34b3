import { metricsEndpoint } from './rest/metrics-endpoint.js';
import { type RawEndpoint, type RestRow, raw } from './rest/route.js';
import type { RequestContext } from './server/request-context.js';

type Endpoint = RawEndpoint<RequestContext>;

/** The paths of every deployment for machines and for its documents. */
export function machineRoutes({
  alive,
  ready,
  document,
  reference,
  script,
}: Readonly<
  Record<'alive' | 'ready' | 'document' | 'reference' | 'script', Endpoint>
>): RestRow<RequestContext>[] {
  return [
    raw(['GET'], '/metrics', metricsEndpoint),
    raw(['GET'], '/healthz', alive),
    raw(['GET'], '/readyz', ready),
    raw(['GET'], '/openapi.json', document),
    raw(['GET'], '/docs', reference),
    raw(['GET'], '/docs/:script', script),
  ];
}

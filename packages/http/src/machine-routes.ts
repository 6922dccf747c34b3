import { DOCUMENT, REFERENCE, SCRIPT } from './openapi/document-endpoints.js';
import { ALIVE, READY } from './rest/health-endpoints.js';
import { metricsEndpoint } from './rest/metrics-endpoint.js';
import { type RawEndpoint, type RestRow, raw } from './rest/route.js';
import type { RequestContext } from './server/request-context.js';

type Handle = RawEndpoint<RequestContext>['handle'];

/** The paths of every deployment for machines and for its documents. */
export function machineRoutes(
  handlers: Readonly<Record<'alive' | 'ready' | 'document' | 'reference' | 'script', Handle>>,
): RestRow<RequestContext>[] {
  return [
    raw(['GET'], '/metrics', metricsEndpoint),
    raw(['GET'], '/healthz', { ...ALIVE, handle: handlers.alive }),
    raw(['GET'], '/readyz', { ...READY, handle: handlers.ready }),
    raw(['GET'], '/openapi.json', { ...DOCUMENT, handle: handlers.document }),
    raw(['GET'], '/docs', { ...REFERENCE, handle: handlers.reference }),
    raw(['GET'], '/docs/:script', { ...SCRIPT, handle: handlers.script }),
  ];
}

import { DOCUMENT, REFERENCE, SCRIPT } from './openapi/document-endpoints.js';
import {
  type DescribedDeployment,
  type DescribedService,
  describedDeployment,
} from './openapi/open-api-document.js';
import { ALIVE, metricsEndpoint, READY } from './rest/machine-endpoints.js';
import { derivedRows } from './rest/procedure-rows.js';
import { type RawEndpoint, type RestRow, raw } from './rest/route.js';
import type { RequestContext } from './server/request-context.js';
import { listProcedures } from './trpc/list-procedures.js';

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

/** A deployment that does not run, as documents describe it when it does. */
export function describeService(
  service: DescribedService,
  routes: readonly RestRow<never>[],
): DescribedDeployment {
  const procedures = listProcedures(service.router);
  return describedDeployment(service, [
    ...routes,
    ...derivedRows(procedures, routes),
    ...machineRoutes({
      alive: unserved,
      ready: unserved,
      document: unserved,
      reference: unserved,
      script: unserved,
    }),
  ]);
}

function unserved(): never {
  throw new Error('This row is described, not served');
}

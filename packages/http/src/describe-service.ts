import { machineRoutes } from './machine-routes.js';
import { type DescribedService, describedDeployment } from './openapi/described-deployment.js';
import type { DescribedDeployment } from './openapi/open-api-document.js';
import { derivedRows } from './rest/derived-rows.js';
import type { RestRow } from './rest/route.js';
import { listProcedures } from './trpc/list-procedures.js';

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

import { ApplicationsContext } from '@gatehouse/ui/developers/application-rules';
import { aboutScope, SCOPE_NAMES } from '@gatehouse/ui/team/scope-words';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../client.js';
import { DEPLOYMENT_KEY, DeveloperFrame } from './developer-frame.js';

/** A page size above the maximum that the staff can have. */
const ALL_MACHINES = 200;

const APPLICATIONS = {
  api: gatehouse.api.platformApp,
  key: DEPLOYMENT_KEY,
  isDeployment: true,
  machines: async (signal: AbortSignal) =>
    (await gatehouse.api.machine.list.query({ limit: ALL_MACHINES }, { signal })).data,
} as const;

/** A screen about the applications of the deployment. */
export function ApplicationsOfDeployment({ children }: { readonly children: ReactNode }): ReactElement {
  const permissions = SCOPE_NAMES.map((name) => ({ name, about: aboutScope(name) }));
  return (
    <DeveloperFrame screen="applications">
      <ApplicationsContext value={{ ...APPLICATIONS, permissions }}>{children}</ApplicationsContext>
    </DeveloperFrame>
  );
}

import { ApplicationsContext } from '@gatehouse/ui/developers/application-rules';
import { aboutScope } from '@gatehouse/ui/team/scope-words';
import type { ReactElement, ReactNode } from 'react';
import { usePlace } from '../../account-place.js';
import { DeveloperFrame } from '../developer-frame.js';

/** Permissions that no application can have. */
const FOR_PEOPLE: ReadonlySet<string> = new Set(['key.manage', 'event.manage', 'app.manage', 'sso.manage']);

/** A page size above the maximum that an account can have. */
const ALL_MACHINES = 200;

/** A screen about the applications of the account. */
export function ApplicationsOfAccount({ children }: { readonly children: ReactNode }): ReactElement {
  const { api, key, permissions } = usePlace();
  return (
    <DeveloperFrame permission="app.manage">
      <ApplicationsContext
        value={{
          api: api.app,
          key,
          permissions: permissions
            .filter((name) => !FOR_PEOPLE.has(name))
            .map((name) => ({ name, about: aboutScope(name) })),
          machines: async (signal) =>
            (await api.machine.list.query({ limit: ALL_MACHINES }, { signal })).data,
        }}
      >
        {children}
      </ApplicationsContext>
    </DeveloperFrame>
  );
}

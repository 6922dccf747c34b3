import { usePages } from '@gatehouse/ui/list/paged-list';
import { type ConnectedApp, ConnectedApps } from '@gatehouse/ui/team/connected-apps';
import type { ReactElement, ReactNode } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';

interface Asked {
  readonly of: { readonly memberId: number } | { readonly accountId: number };
  readonly whereOf: (app: ConnectedApp) => ReactNode;
}

/** The applications that act for a member or in an account, for staff who manage applications. */
export function ConnectedAppsCard(asked: Asked): ReactElement | null {
  return mayAsStaff(useMe(), 'platformApp.manage') ? <Connected {...asked} /> : null;
}

function Connected({ of, whereOf }: Asked): ReactElement {
  const apps = usePages<ConnectedApp>(['connected', of], (page, signal) =>
    gatehouse.api.platformApp.connected.query({ ...of, ...page }, { signal }),
  );
  return <ConnectedApps apps={apps} whereOf={whereOf} />;
}

/** A page of React that says what the hooks say. */
export function reactPageScript(serviceUrl: string): string {
  return `
import { createMainClient, localStore } from '@gatehouse/client-sdk';
import { GatehouseProvider, useAccount, useMe, usePermission, useSession } from '@gatehouse/client-sdk/react';
import { createElement as h, StrictMode, version } from 'react';
import { createRoot } from 'react-dom/client';

const gatehouse = createMainClient({ url: ${JSON.stringify(serviceUrl)}, store: localStore() });

function Said() {
  const { isSignedIn, cause, client } = useSession();
  const { me } = useMe();
  const { account, accounts, select } = useAccount();
  const mayList = usePermission('member.list');
  return h('main', null,
    h('p', { id: 'said' }, [version.split('.')[0], isSignedIn, cause, me?.member.email, account?.accountName, mayList].join(' | ')),
    h('button', { onClick: () => client.signIn({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' }) }, 'Sign in'),
    h('button', { onClick: () => select(accounts[1].accountId) }, 'Switch'),
    h('button', { onClick: () => client.signOut() }, 'Sign out'));
}

const root = document.body.appendChild(document.createElement('div'));
createRoot(root).render(h(StrictMode, null, h(GatehouseProvider, { client: gatehouse }, h(Said))));
`;
}

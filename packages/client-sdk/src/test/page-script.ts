/** A front end that shows the client's state in its page, with buttons for actions. */
export function pageScript(serviceUrl: string): string {
  return `
import { createMainClient, finishSocial, isGatehouseError, localStore, startConnecting, startSocialSignIn, tabStore } from '@gatehouse/client-sdk';

const gatehouse = createMainClient({ url: ${JSON.stringify(serviceUrl)}, store: localStore() });

function show(id, text) {
  const line = document.getElementById(id) ?? document.body.appendChild(document.createElement('p'));
  line.id = id;
  line.textContent = text;
}

function button(label, act) {
  const made = document.body.appendChild(document.createElement('button'));
  made.textContent = label;
  made.onclick = () => Promise.resolve(act()).catch((error) => show('problem', error.message));
}

const showSession = (cause) => show('session', (gatehouse.token === null ? 'signed out' : 'signed in') + ': ' + cause);
showSession('at first');
gatehouse.subscribe(({ cause }) => showSession(cause));

const ofThisTab = tabStore('gatehouse.tab');
show('tab', ofThisTab.get() ?? 'nothing');

button('Keep in this tab', () => ofThisTab.set('kept'));
button('Sign in', () => gatehouse.signIn({ email: 'owner@acme.test', password: 'Lantern-Harbor-42' }));
button('Sign out', () => gatehouse.signOut());
button('Sign in with Google', () => startSocialSignIn(gatehouse, 'google'));
button('Connect GitHub', () => startConnecting(gatehouse, 'github'));
button('Who am I', async () => show('me', (await gatehouse.api.session.me.query()).member.username));
button('Members', async () => {
  const [members, refusal] = await Promise.all([
    gatehouse.withAccount(1).api.member.list.query({}),
    gatehouse.withAccount(3).api.member.list.query({}).catch((error) => error),
  ]);
  show('members', members.data.length + ' members, ' + isGatehouseError(refusal, 'account_forbidden'));
});

if (location.pathname === '/socialAuth') {
  // As an effect does under StrictMode.
  Promise.all([finishSocial(gatehouse), finishSocial(gatehouse)]).then(([end, again]) => {
    show('again', end === again ? 'the same' : 'another');
    if (end.kind === 'unexpected') button('Continue', () => end.signIn());
    show('end', end.kind + ' ' + (end.reason ?? end.connection?.provider ?? ''));
  });
}
`;
}

/** A React page that shows what the hooks return. */
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

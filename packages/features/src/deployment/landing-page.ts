import type { Page } from '@gatehouse/http/pages/html-page';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { RawExchange, RestRow } from '@gatehouse/http/rest/route';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/create-mail-driver';
import type { Context } from '../core/context.js';
import { pageProduct } from '../pages/product-page.js';
import { showsOutbox } from './outbox.js';

type Visit = Pick<RawExchange<Context>, 'request' | 'ctx'>;

interface Place {
  readonly path: string;
  readonly label: string;
  /** What is there, if the label does not say it. */
  readonly about?: string;
  /** Whether this visitor can open it; true by default. */
  readonly isOpen?: (visit: Visit) => boolean;
}

const hasOwnPages = ({ ctx: { services } }: Visit) => services.config.APP_URL === services.config.BASE_URL;

/** Possible entries, in this order. A deployment has some of them. */
const PLACES: readonly Place[] = [
  {
    path: '/portal',
    label: 'Portal',
    about: 'Members manage their accounts and organizations',
    isOpen: hasOwnPages,
  },
  { path: '/console', label: 'Console', about: 'Staff help members and look after the service' },
  { path: '/register', label: 'Create your account', isOpen: hasOwnPages },
  {
    path: '/signIn',
    label: 'Sign in with an email code',
    isOpen: (visit) => hasOwnPages(visit) && visit.ctx.services.config.EMAIL_SIGN_IN,
  },
  { path: '/socialAuth', label: 'Sign in with a provider', isOpen: hasOwnPages },
  { path: '/forgot', label: 'Forgot your password?', isOpen: hasOwnPages },
];

const FOR_DEVELOPERS: readonly Place[] = [
  {
    path: '/dev',
    label: 'Development',
    about: 'Logins, emails, webhooks and simulators of this development start',
    isOpen: ({ ctx: { services, call } }) => isLocalDeveloper(services.config, call),
  },
  {
    path: '/dev/outbox',
    label: 'Outbox',
    about: 'Emails, which stay on this machine',
    isOpen: ({ ctx }) => showsOutbox(ctx),
  },
];

const DOCUMENTS: readonly Place[] = [
  { path: '/docs', label: 'API reference', about: 'Every endpoint, to read, search and try' },
  { path: '/openapi.json', label: 'OpenAPI description', about: 'For tools that generate clients' },
];

const STYLE = `
header,main{max-width:40rem}
h2{margin:2rem 0 .5rem;font-size:1.1rem}
.places{margin:0;padding:0;list-style:none;border-top:1px solid var(--rule)}
.places li{border-bottom:1px solid var(--rule)}
.places a{display:block;padding:.75rem .25rem;color:inherit;text-decoration:none}
.places a:hover{background:light-dark(oklch(.955 .009 95),oklch(.265 .018 230))}
.places b{color:var(--accent);text-decoration:underline;text-underline-offset:3px}
.places span{display:block;color:var(--quiet);font-size:.9rem}
`;

/** Places below each other, each a row that can be clicked. */
function listOf(places: readonly Place[]): string {
  const rows = places.map(({ path, label, about }) => {
    const note = about === undefined ? '' : `<span>${escapeHtml(about)}</span>`;
    return `<li><a href="${path}"><b>${escapeHtml(label)}</b>${note}</a></li>`;
  });
  return rows.length === 0 ? '' : `<ul class="places">${rows.join('')}</ul>`;
}

/**
 * The page that a browser gets at `/`: what this service is, and where to go. It reveals no members and no
 * configuration.
 * @param about what the service does, in one sentence
 */
export function landingPage(
  { name, about }: { readonly name: string; readonly about: string },
  routes: readonly RestRow<Context>[],
  webApps: readonly { readonly prefix: string; readonly isBuilt: boolean }[] = [],
): (visit: Visit) => Page {
  const there = new Set([
    ...webApps.filter(({ isBuilt }) => isBuilt).map(({ prefix }) => prefix),
    ...routes.flatMap(({ path, methods }) => (methods.includes('GET') ? [path] : [])),
  ]);
  const isThere = ({ path }: Place): boolean => there.has(path);
  return (visit) => {
    const isOpenTo = ({ isOpen = () => true }: Place): boolean => isOpen(visit);
    const body = [
      `<p>${escapeHtml(about)}</p>`,
      listOf(PLACES.filter(isThere).filter(isOpenTo)),
      '<h2>For developers</h2>',
      listOf([...FOR_DEVELOPERS.filter(isThere).filter(isOpenTo), ...DOCUMENTS]),
      frontEnd(visit),
      `<p class="hint">This is ${escapeHtml(name)}. API clients receive JSON here.</p>`,
    ];
    const product = pageProduct(visit.ctx.services.config);
    return { title: 'Welcome', body: body.join('\n'), style: STYLE, product };
  };
}

function frontEnd(visit: Visit): string {
  const { APP_URL } = visit.ctx.services.config;
  if (hasOwnPages(visit)) return '';
  return `<p>People sign in at <a href="${escapeHtml(APP_URL)}">${escapeHtml(new URL(APP_URL).host)}</a>.</p>`;
}

import type { Page } from '@gatehouse/http/pages/html-page';
import { escapeHtml } from '@gatehouse/http/pages/html-page';
import type { RawExchange, RestRow } from '@gatehouse/http/rest/route';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/create-mail-driver';
import type { Context } from '../core/context.js';
import { showsOutbox } from '../mail/outbox.js';

type Visit = Pick<RawExchange<Context>, 'request' | 'ctx'>;

interface Place {
  readonly path: string;
  readonly label: string;
  /** Whether this visitor can open it; true by default. */
  readonly isOpen?: (visit: Visit) => boolean;
}

const hasOwnPages = ({ ctx: { services } }: Visit) => services.config.APP_URL === services.config.BASE_URL;

/** Possible entries, in this order. A deployment has some of them. */
const PLACES: readonly Place[] = [
  {
    path: '/portal',
    label: 'The portal, where members manage their accounts and organizations',
    isOpen: hasOwnPages,
  },
  { path: '/console', label: 'The console, where staff do their work' },
  { path: '/register', label: 'Create your account', isOpen: hasOwnPages },
  {
    path: '/signIn',
    label: 'Sign in with an email code',
    isOpen: (visit) => hasOwnPages(visit) && visit.ctx.services.config.EMAIL_SIGN_IN,
  },
  { path: '/socialAuth', label: 'Sign in with a provider', isOpen: hasOwnPages },
  { path: '/forgot', label: 'Forgot your password?', isOpen: hasOwnPages },
  {
    path: '/dev',
    label: 'Logins, emails, webhooks and simulators of this development start',
    isOpen: ({ ctx: { services, call } }) => isLocalDeveloper(services.config, call),
  },
  {
    path: '/dev/outbox',
    label: 'Emails, which stay on this machine',
    isOpen: ({ ctx }) => showsOutbox(ctx),
  },
];

const DOCUMENTS: readonly Place[] = [
  { path: '/docs', label: 'Every endpoint, to read, search and try' },
  { path: '/openapi.json', label: 'The OpenAPI description' },
];

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
  const places = [...PLACES.filter(({ path }) => there.has(path)), ...DOCUMENTS];
  return (visit) => {
    const links = places
      .filter(({ isOpen = () => true }) => isOpen(visit))
      .map(({ path, label }) => `<li><a href="${path}">${escapeHtml(label)}</a></li>`);
    const body = [
      `<p>${escapeHtml(about)}</p>`,
      `<ul>${links.join('')}</ul>`,
      frontEnd(visit),
      `<p class="hint">This is ${escapeHtml(name)}. API clients receive JSON here.</p>`,
    ];
    return { title: 'Gatehouse', body: body.join('\n') };
  };
}

function frontEnd(visit: Visit): string {
  const { APP_URL } = visit.ctx.services.config;
  if (hasOwnPages(visit)) return '';
  return `<p>People sign in at <a href="${escapeHtml(APP_URL)}">${escapeHtml(new URL(APP_URL).host)}</a>.</p>`;
}

import { AppError } from '@gatehouse/auth-core';
import { DEMONSTRATION_PEOPLE } from '@gatehouse/db/queries/demonstration-data';
import { listNewestMails } from '@gatehouse/db/queries/list-mails';
import { findPartner } from '@gatehouse/db/queries/partners';
import { findMember } from '@gatehouse/db/queries/read-members';
import { listWebhooks } from '@gatehouse/db/queries/read-webhooks';
import { escapeHtml, type Page, pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/create-mail-driver';
import type { Context, Services } from '../core/context.js';
import { SOCIAL_PROVIDERS } from '../core/social-providers/social-providers.js';
import { sendProductPage } from '../pages/product-page.js';
import { findConfiguredProvider } from '../social/configured-provider.js';
import { demonstrationKey } from './demonstration-key.js';
import { demonstrationPlaces } from './demonstration-places.js';
import { showsOutbox, toOutboxMail } from './outbox.js';
import type { OutboxMail } from './outbox-page.js';

/** Newest mails and webhooks that the page lists. */
const SHOWN = 5;

const PARTNER = 'acme-partner';

const STYLE = `
header,main{max-width:60rem}
section{margin-top:2rem;border-top:2px solid currentColor}
h2{margin:.75rem 0 .5rem;font-size:1.1rem}
table{width:100%;border-collapse:collapse;overflow-wrap:break-word}
th{color:var(--quiet);font-size:.8rem;font-weight:400}
th,td{padding:.5rem .75rem .5rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--rule)}
code{font:.9em/1.4 ui-monospace,monospace}
section:first-of-type td:last-child a{display:inline-block;padding:.3rem .75rem;border:1px solid var(--line);border-radius:3px;color:inherit;font-weight:600;text-decoration:none}
@media (min-width:40rem){section:first-of-type td:last-child a{white-space:nowrap}}
section:first-of-type td:last-child a:hover{border-color:currentColor}
@media (max-width:40rem){table,tbody,tr,td{display:block}td{border-bottom:0;padding-block:.1rem}thead{display:none}tr{padding-block:.6rem;border-bottom:1px solid var(--rule)}}
`;

/** What a development start has besides the service, on one page. In production it does not exist. */
export const devPage: RawEndpoint<Context> = {
  summary: 'Logins, mails, webhooks and simulators of a development start (development only)',
  about: pageAbout({
    tag: 'pages',
    description: 'The page',
    refuses: ['not_found', 'unavailable'],
  }),
  handle: async ({ response, ctx }) => {
    if (!isLocalDeveloper(ctx.services.config, ctx.call)) throw new AppError('not_found');
    sendProductPage(ctx, response, await developmentPage(ctx));
  },
};

async function developmentPage(ctx: Context): Promise<Page> {
  const { services } = ctx;
  const [logins, mails, webhooks, partner] = await Promise.all([
    demonstrationLogins(services),
    showsOutbox(ctx) ? listNewestMails(services.db, SHOWN) : undefined,
    listWebhooks(services.db, { limit: SHOWN }),
    findPartner(services.db, { nameKey: PARTNER }),
  ]);
  const body = [
    '<p class="hint">This page exists only in development, and only on this machine. <a href="/">Back to the start page</a></p>',
    `<p>${link('/dev/docs/', 'Read the documentation')}</p>`,
    loginsPart(services, logins),
    mails === undefined
      ? part('Emails', '<p>A mail service is configured, so emails are sent to their recipients.</p>')
      : mailsPart(mails.map((mail) => toOutboxMail(services, mail))),
    webhooksPart(services, webhooks),
    simulatorsPart(services, partner?.appUrl),
  ];
  return { title: 'Development', body: body.join('\n'), style: STYLE };
}

interface Login {
  readonly name: string;
  readonly email: string;
  readonly places: string;
  /** Where they sign in; undefined for an archived one. */
  readonly at?: 'console' | 'portal';
}

/** The people of the demonstration who still exist, with their current addresses. */
async function demonstrationLogins({ db, roles }: Services): Promise<readonly Login[]> {
  const found = await Promise.all(
    DEMONSTRATION_PEOPLE.map(async (person) => {
      const member = await findMember(db, person.id);
      const isThere = member?.firstName === person.firstName && !member.isDeleted;
      if (!isThere || member.email === null) return [];
      const { email, isPersonnel, roleType, firstName, lastName } = member;
      const login: Login = {
        name: `${firstName} ${lastName}`,
        email,
        places: demonstrationPlaces(person),
        ...(roleType === roles.id.archived ? {} : { at: isPersonnel ? 'console' : 'portal' }),
      };
      return [login];
    }),
  );
  return found.flat();
}

function loginsPart({ config }: Services, logins: readonly Login[]): string {
  const hasPortal = config.PORTAL && config.APP_URL === config.BASE_URL;
  const signIns = {
    portal: hasPortal ? '/portal/sign-in' : undefined,
    console: config.ADMIN_URL === undefined ? undefined : `${config.ADMIN_URL}/console/sign-in`,
  };
  const key = demonstrationKey(config);
  const pages = [
    ...(signIns.portal === undefined ? [] : [link(signIns.portal, 'Members sign in at the portal')]),
    ...(signIns.console === undefined ? [] : [link(signIns.console, 'Staff sign in at the console')]),
  ];
  const words =
    logins.length === 0
      ? "The demonstration people aren't in this database."
      : `One click signs you in as one of these people. Their password is <code>${DEMONSTRATION_PASSWORD}</code>.`;
  return part('People to sign in as', [
    listOf(pages),
    `<p>${words}</p>`,
    tableOf(
      ['Email', 'Role', 'Sign in'],
      logins.map(({ name, email, places, at }) => {
        const page = at && signIns[at];
        return [
          `<code>${escapeHtml(email)}</code>`,
          escapeHtml(places),
          // The page signs in whom its fragment names, with the password that it knows in development.
          page === undefined
            ? ''
            : link(`${page}#as=${encodeURIComponent(email)}&key=${key}`, `Sign in as ${name}`),
        ];
      }),
    ),
  ]);
}

function mailsPart(mails: readonly OutboxMail[]): string {
  return part('Emails', [
    mails.length === 0 ? '<p>No emails yet.</p>' : '',
    tableOf(
      ['Subject', 'To', 'When'],
      mails.map(({ id, subject, to, createdAt }) => [
        link(`/dev/outbox?mail=${id}`, subject),
        escapeHtml(to),
        shownTime(Date.parse(createdAt)),
      ]),
    ),
    `<p>Emails stay on this machine. ${link('/dev/outbox', 'Search and read all emails')}</p>`,
  ]);
}

function webhooksPart({ config }: Services, webhooks: Awaited<ReturnType<typeof listWebhooks>>): string {
  const inConsole = config.ADMIN_URL === undefined ? undefined : `${config.ADMIN_URL}/console/webhooks`;
  const nameOf = ({ id, type }: { readonly id: number; readonly type: string | null }) =>
    inConsole === undefined ? escapeHtml(type ?? `#${id}`) : link(`${inConsole}/${id}`, type ?? `#${id}`);
  return part('Webhooks', [
    webhooks.length === 0 ? '<p>No webhooks from payment providers yet.</p>' : '',
    tableOf(
      ['Event', 'From', 'Status', 'When'],
      webhooks.map((row) => [nameOf(row), escapeHtml(row.provider), row.status, shownTime(row.receivedAtMs)]),
    ),
    inConsole === undefined ? '' : `<p>${link(inConsole, 'See all webhooks in the console')}</p>`,
    '<p>To send webhooks for a whole subscription, run <code>npx --yes pnpm@10 -s simulate billing --endpoint stripe</code></p>',
    '<p>To print the events of organization 1 as they happen, run <code>npx --yes pnpm@10 -s gatehouse events listen</code></p>',
  ]);
}

function simulatorsPart({ config }: Services, partnerUrl: string | undefined): string {
  const played = SOCIAL_PROVIDERS.flatMap((provider) => {
    const configured = findConfiguredProvider(config, provider);
    return configured !== undefined && isOnThisMachine(configured.authorizationUrl) ? [provider.name] : [];
  });
  const paymentsAt = [config.STRIPE_API_URL, config.PADDLE_API_URL].find(
    (url) => url !== undefined && isOnThisMachine(url),
  );
  const simulators = [
    ...(played.length === 0
      ? []
      : [`${link('/socialAuth', 'Sign in with a provider')}: ${escapeHtml(played.join(', '))}`]),
    ...(paymentsAt === undefined
      ? []
      : [
          `To pay, choose a plan under Billing in the portal. The provider is <code>${escapeHtml(paymentsAt)}</code>`,
        ]),
    ...(partnerUrl !== undefined && isOnThisMachine(partnerUrl)
      ? [`Application of a partner: ${link(partnerUrl, PARTNER)}`]
      : []),
  ];
  return part(
    'Simulators',
    simulators.length === 0 ? '<p>No simulators are running.</p>' : listOf(simulators),
  );
}

const THIS_MACHINE: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];

const isOnThisMachine = (url: string): boolean => THIS_MACHINE.includes(new URL(url).hostname);

const part = (title: string, content: string | readonly string[]): string =>
  `<section><h2>${title}</h2>\n${[content].flat().join('\n')}</section>`;

const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

const listOf = (items: readonly string[]): string =>
  items.length === 0 ? '' : `<ul>${items.map((item) => `<li>${item}</li>`).join('')}</ul>`;

function tableOf(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((name) => `<th scope="col">${name}</th>`).join('');
  const lines = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`);
  return `<table><thead><tr>${head}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

/** `2026-11-27 16:20:05 UTC` */
function shownTime(ms: number): string {
  const at = new Date(ms).toISOString();
  return `<time datetime="${at}">${at.slice(0, 19).replace('T', ' ')} UTC</time>`;
}

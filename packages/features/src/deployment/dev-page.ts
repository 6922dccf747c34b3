import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { DEMONSTRATION_PEOPLE } from '@gatehouse/db/queries/demonstration-data';
import { listNewestMails } from '@gatehouse/db/queries/list-mails';
import { findPartner } from '@gatehouse/db/queries/partners';
import { findMember } from '@gatehouse/db/queries/read-members';
import { listWebhooks } from '@gatehouse/db/queries/read-webhooks';
import { escapeHtml, type Page, pageAbout, sendPage } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/create-mail-driver';
import type { Context, Services } from '../core/context.js';
import { SOCIAL_PROVIDERS } from '../core/social-providers/social-providers.js';
import { showsOutbox } from '../mail/outbox.js';
import { findConfiguredProvider } from '../social/configured-provider.js';
import { demonstrationPlaces } from './demonstration-places.js';

/** Newest mails and webhooks that the page lists. */
const SHOWN = 5;

const PARTNER = 'acme-partner';

const STYLE = `
main{max-width:52rem}
h2{margin:2rem 0 .5rem;font-size:1.25rem}
table{width:100%;border-collapse:collapse}
th,td{padding:.4rem .75rem .4rem 0;text-align:start;vertical-align:top;border-bottom:1px solid var(--line)}
@media (max-width:40rem){tr,td{display:block;border-bottom:0;padding-block:0}thead{display:none}tr{padding-block:.5rem;border-bottom:1px solid var(--line)}}
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
    sendPage(response, await developmentPage(ctx));
  },
};

async function developmentPage(ctx: Context): Promise<Page> {
  const { services } = ctx;
  const [logins, mails, webhooks, partner] = await Promise.all([
    demonstrationLogins(services.db),
    showsOutbox(ctx) ? listNewestMails(services.db, SHOWN) : undefined,
    listWebhooks(services.db, { limit: SHOWN }),
    findPartner(services.db, { nameKey: PARTNER }),
  ]);
  const body = [
    '<p class="hint">Only on this machine, and only in development. <a href="/">Back to the start page</a></p>',
    `<p>${link('/dev/docs/', 'The documents')}, by reader and with search.</p>`,
    loginsPart(services, logins),
    mails === undefined
      ? part('Emails', '<p>Emails leave this machine: a mail service is configured.</p>')
      : mailsPart(mails),
    webhooksPart(services, webhooks),
    simulatorsPart(services, partner?.appUrl),
  ];
  return { title: 'Development', body: body.join('\n'), style: STYLE };
}

interface Login {
  readonly email: string;
  readonly places: string;
}

/** The people of the demonstration who are still there, with the address that each has by now. */
async function demonstrationLogins(db: Database): Promise<readonly Login[]> {
  const found = await Promise.all(
    DEMONSTRATION_PEOPLE.map(async (person) => {
      const member = await findMember(db, person.id);
      const isThere = member?.firstName === person.firstName && !member.isDeleted;
      return isThere && member.email !== null
        ? [{ email: member.email, places: demonstrationPlaces(person) }]
        : [];
    }),
  );
  return found.flat();
}

function loginsPart({ config }: Services, logins: readonly Login[]): string {
  const hasPortal = config.PORTAL && config.APP_URL === config.BASE_URL;
  const pages = [
    ...(hasPortal ? [link('/portal/sign-in', 'Members sign in at the portal')] : []),
    ...(config.ADMIN_URL === undefined
      ? []
      : [link(`${config.ADMIN_URL}/console/sign-in`, 'Staff sign in at the console')]),
  ];
  const words =
    logins.length === 0
      ? 'The demonstration data is not in this database.'
      : `All have the password <code>${DEMONSTRATION_PASSWORD}</code>.`;
  return part('Logins', [
    listOf(pages),
    `<p>${words}</p>`,
    tableOf(
      ['Email', 'What they are'],
      logins.map(({ email, places }) => [`<code>${escapeHtml(email)}</code>`, escapeHtml(places)]),
    ),
  ]);
}

function mailsPart(mails: Awaited<ReturnType<typeof listNewestMails>>): string {
  return part('Emails', [
    mails.length === 0 ? '<p>No mail yet.</p>' : '',
    tableOf(
      ['Subject', 'To', 'When'],
      mails.map(({ id, subject, recipient, createdAtMs }) => [
        link(`/dev/outbox?mail=${id}`, subject),
        escapeHtml(recipient),
        shownTime(createdAtMs),
      ]),
    ),
    `<p>${link('/dev/outbox', 'All emails')}, to search and read; they stay on this machine.</p>`,
  ]);
}

function webhooksPart({ config }: Services, webhooks: Awaited<ReturnType<typeof listWebhooks>>): string {
  const inConsole = config.ADMIN_URL === undefined ? undefined : `${config.ADMIN_URL}/console/webhooks`;
  const nameOf = ({ id, type }: { readonly id: number; readonly type: string | null }) =>
    inConsole === undefined ? escapeHtml(type ?? `#${id}`) : link(`${inConsole}/${id}`, type ?? `#${id}`);
  return part('Webhooks', [
    webhooks.length === 0 ? '<p>No payment provider has sent one yet.</p>' : '',
    tableOf(
      ['Event', 'From', 'Status', 'When'],
      webhooks.map((row) => [nameOf(row), escapeHtml(row.provider), row.status, shownTime(row.receivedAtMs)]),
    ),
    inConsole === undefined ? '' : `<p>${link(inConsole, 'All webhooks, in the console')}</p>`,
    '<p>The whole life of a subscription: <code>npx --yes pnpm@10 -s simulate billing --endpoint stripe</code></p>',
    '<p>Events that the service sends about account 1: <code>npx --yes pnpm@10 -s gatehouse events listen</code></p>',
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
      : [`Sign-in with ${escapeHtml(played.join(', '))}: ${link('/socialAuth', 'choose one')}`]),
    ...(paymentsAt === undefined
      ? []
      : [`Payments, at <code>${escapeHtml(paymentsAt)}</code>: check out under Billing in the portal`]),
    ...(partnerUrl !== undefined && isOnThisMachine(partnerUrl)
      ? [`The front end of a partner: ${link(partnerUrl, PARTNER)}`]
      : []),
  ];
  return part('Simulators', simulators.length === 0 ? '<p>None is configured.</p>' : listOf(simulators));
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

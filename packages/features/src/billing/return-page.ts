import { pageAbout } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Config } from '../core/config.js';
import type { Context } from '../core/context.js';
import { ownPage, problem } from '../pages/own-page.js';

/** The return address for providers. Clients cannot change it. */
export function billingPage({ APP_URL }: Pick<Config, 'APP_URL'>): string {
  return `${APP_URL}/billing`;
}

const TITLE = 'Back from the payment page';

/** Where a provider's pages lead back to. Its event, not this visit, tells whether something was paid. */
export const returnPage = {
  summary: 'Where the pages of payment providers lead back to',
  about: pageAbout({
    tag: 'pages',
    description: 'A word that the provider tells the service about a payment',
    query: z.object({}),
    shows: ['unavailable'],
    refuses: ['not_found'],
  }),
  handle: ownPage(
    (_exchange, _fields, { say }) =>
      Promise.resolve({
        title: say(TITLE),
        body: `<p>${say('Payments usually arrive within a minute. You can close this page.')}</p>`,
      }),
    ({ message }, _fields, { say }) => ({ title: say(TITLE), body: problem(message) }),
  ),
} satisfies RawEndpoint<Context>;

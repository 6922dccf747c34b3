import type { RawEndpoint } from '@gatehouse/http/rest/route';
import type { Context } from '../../core/context.js';
import { appLink } from '../../mail/app-link.js';

/** `/forgot` of the admin service, to which the console's sign-in links: it leads to the front-end page that mails a link. */
export const forgotAddress = {
  summary: 'Leads to where a forgotten password is reset',
  about: {
    tag: 'pages',
    answers: { 302: { description: 'To the page of the front end' } },
    refuses: [],
  },
  handle: ({ response, ctx }) => {
    const { config } = ctx.services;
    const back = new URLSearchParams({ back: `${config.BASE_URL}/console/sign-in` });
    response.statusCode = 302;
    response.setHeader('Location', `${appLink(config, 'forgot')}?${back.toString()}`);
    response.setHeader('Content-Length', 0);
    response.end();
  },
} satisfies RawEndpoint<Context>;

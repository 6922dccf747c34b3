import type { RawEndpoint } from '@gatehouse/http/rest/route';
import type { Context } from '../../core/context.js';
import { appLink } from '../../mail/app-link.js';

/** `/forgot` of the admin service, which the console's sign-in names: the page that mails a link is that of the front end. */
export const forgotAddress = {
  summary: 'Leads to where a forgotten password is reset',
  about: {
    tag: 'pages',
    answers: { 302: { description: 'To the page of the front end' } },
    refuses: [],
  },
  handle: ({ response, ctx }) => {
    response.statusCode = 302;
    response.setHeader('Location', appLink(ctx.services.config, 'forgot'));
    response.setHeader('Content-Length', 0);
    response.end();
  },
} satisfies RawEndpoint<Context>;

import { pageAnswer } from '@gatehouse/http/pages/html-page';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { visitorLocale } from '../../core/accepted-locale.js';
import type { Context } from '../../core/context.js';
import { sendProductPage } from '../../pages/product-page.js';

const SCREEN = '/console/enrol';

const WITHOUT_CONSOLE = {
  en: {
    title: 'There is no console here',
    body: '<p>Staff add a passkey or an authenticator app in the console, which is switched off on this service (CONSOLE=off). Use one that has it.</p>',
  },
  de: {
    title: 'Hier gibt es keine Konsole',
    body: '<p>Das Team richtet Passkeys und Authenticator-Apps in der Konsole ein, die auf diesem Dienst ausgeschaltet ist (CONSOLE=off). Öffne sie auf einem anderen.</p>',
  },
};

/** `/enrol`, which printed tickets name, redirects to the screen of the console. Browsers keep the fragment. */
export const enrolmentAddress = {
  summary: 'Leads to where staff add a second factor',
  about: {
    tag: 'pages',
    answers: {
      302: { description: 'To the screen of the console' },
      404: pageAnswer('Where the console is switched off'),
    },
    refuses: [],
  },
  handle: ({ request, response, ctx }) => {
    if (!ctx.services.config.CONSOLE) {
      const language = visitorLocale(ctx.call);
      sendProductPage(ctx, response, { ...WITHOUT_CONSOLE[language], status: 404, language });
      return;
    }
    const { search } = new URL(request.url ?? '/', 'http://localhost');
    response.statusCode = 302;
    response.setHeader('Location', SCREEN + search);
    response.setHeader('Content-Length', 0);
    response.end();
  },
} satisfies RawEndpoint<Context>;

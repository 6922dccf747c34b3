import { AppError } from '@gatehouse/auth-core';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import type { Context, Services } from '../core/context.js';

/**
 * `/.well-known/change-password` (W3C, A Well-Known URL for Changing Passwords), by which password managers find the page where a
 * person changes the password.
 * @param pageOf the page of this deployment; undefined if another site has it
 */
export function changePasswordAddress(
  pageOf: (services: Services) => string | undefined,
): RawEndpoint<Context> {
  return {
    summary: 'Leads to the page where people change their password',
    about: {
      tag: 'pages',
      answers: { 302: { description: 'To the page' } },
      refuses: ['not_found'],
    },
    handle({ ctx, response }) {
      const page = pageOf(ctx.services);
      if (page === undefined) throw new AppError('not_found');
      response.statusCode = 302;
      response.setHeader('Location', page);
      response.setHeader('Content-Length', 0);
      response.end();
      return Promise.resolve();
    },
  };
}

/** In the portal, else on our own page, which mails a link. */
export const memberPasswordPage = ({ servesPortal, config }: Services): string | undefined => {
  if (servesPortal) return '/portal/you/security';
  return config.APP_URL === config.BASE_URL ? '/forgot' : undefined;
};

/** In the console. */
export const staffPasswordPage = ({ config }: Services): string | undefined =>
  config.CONSOLE ? '/console/me' : undefined;

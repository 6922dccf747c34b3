import { AppError } from '@gatehouse/auth-core';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import type { Context, Services } from '../core/context.js';

/**
 * `/favicon.ico`, which browsers ask for where a document names no icon.
 * @param iconOf the icon of this deployment's screens; undefined if it serves none
 */
export function faviconAddress(iconOf: (services: Services) => string | undefined): RawEndpoint<Context> {
  return {
    summary: 'Leads to the icon of the screens',
    about: {
      tag: 'pages',
      answers: { 302: { description: 'To the icon' } },
      refuses: ['not_found'],
    },
    handle({ ctx, response }) {
      const icon = iconOf(ctx.services);
      if (icon === undefined) throw new AppError('not_found');
      response.statusCode = 302;
      response.setHeader('Location', icon);
      response.setHeader('Content-Length', 0);
      response.end();
      return Promise.resolve();
    },
  };
}

export const portalIcon = ({ servesPortal }: Services): string | undefined =>
  servesPortal ? '/portal/mark.svg' : undefined;

export const consoleIcon = ({ config }: Services): string | undefined =>
  config.CONSOLE ? '/console/mark.svg' : undefined;

import { AppError } from '@gatehouse/auth-core';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../core/context.js';
import { endAtFrontEnd } from '../social/begin-social-sign-in.js';
import { identifyByOidc } from './oidc-flow.js';
import { endFlow, ssoVisitAbout, takeFlow } from './sso-flow.js';

const word = z.string().optional();

/** Takes a browser back from an identity provider by OpenID Connect, once. */
export const oidcCallback: RawEndpoint<Context> = {
  summary: "Takes a browser back from an account's identity provider",
  about: ssoVisitAbout(z.object({ code: word, state: word, error: word, iss: word })),
  async handle(exchange) {
    const { request, query, ctx } = exchange;
    if (request.method === 'HEAD') throw new AppError('method_not_allowed');
    await endAtFrontEnd(exchange, 'single sign-on', async () => {
      const [state = '', ...others] = query.getAll('state');
      if (others.length > 0) throw new AppError('invalid_state');
      const returned = await takeFlow(exchange, state);
      const { connection, flow } = returned;
      if (connection.settings.kind !== 'oidc') throw new AppError('invalid_state');
      return endFlow(exchange, returned, () => identifyByOidc(ctx.services, connection, { flow, query }));
    });
  },
};

import { AppError } from '@gatehouse/auth-core';
import { sendJson } from '@gatehouse/http/rest/reply';
import type { RawEndpoint } from '@gatehouse/http/rest/route';
import { z } from 'zod';
import type { Context } from '../../core/app/context.js';

/** The origins outside the domain that may use its passkeys (WebAuthn Level 3, 5.11). */
export const relatedOrigins: RawEndpoint<Context> = {
  summary: 'Names the other origins that may use the passkeys of this domain',
  about: {
    tag: 'machines',
    answers: {
      200: {
        description: 'The origins',
        content: { 'application/json': z.object({ origins: z.array(z.string()) }) },
      },
    },
    refuses: ['not_found'],
  },
  async handle({ ctx, response }) {
    const origins = ctx.services.relyingParty?.relatedOrigins ?? [];
    if (origins.length === 0) throw new AppError('not_found');
    sendJson(response, 200, { origins });
  },
};

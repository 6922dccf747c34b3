import { STEP_METHODS } from '@gatehouse/auth-core';
import { listPasskeys } from '@gatehouse/db';
import { z } from 'zod';
import { requireRelyingParty } from '../../core/app/own-passkeys.js';
import { publicProcedure } from '../../core/app/procedures.js';
import { askPasskey } from '../passkey/make-options.js';
import { requestOptions } from '../passkey/option-schemas.js';
import { challengeSchema, openChallenge, passkeyStepOf } from './open-challenge.js';

/** The ways to take the second step of a sign-in, and what a passkey needs for it. */
export const stepOptions = publicProcedure
  .meta({ about: { summary: 'See how to take the second step', refuses: ['invalid_challenge'] } })
  .input(z.object({ challenge: challengeSchema }))
  .output(
    z.object({
      data: z.object({
        methods: z.array(z.enum(STEP_METHODS)),
        expiresAt: z.iso.datetime(),
        /** Until when a reset by mail leaves out a mailed code at an unfamiliar place. */
        emailWithheldUntil: z.iso.datetime().optional(),
        /** Present where a passkey may be the step. */
        flow: z.string().optional(),
        options: requestOptions.optional(),
      }),
    }),
  )
  .mutation(async ({ ctx, input }) => {
    const { services } = ctx;
    const { challenge, steps } = await openChallenge(ctx, input.challenge);
    const { methods, emailWithheldUntil } = steps;
    const expiresAt = new Date(challenge.expiresAtMs).toISOString();
    const data = {
      methods: [...methods],
      expiresAt,
      ...(emailWithheldUntil === undefined ? {} : { emailWithheldUntil }),
    };
    if (!methods.includes('passkey')) return { data };
    const passkeys = await listPasskeys(services.db, challenge.memberId);
    const usable = passkeys.filter(({ suspectAtMs }) => suspectAtMs === null);
    const asked = askPasskey(services, requireRelyingParty(services), passkeyStepOf(challenge), usable);
    return { data: { ...data, ...asked } };
  });

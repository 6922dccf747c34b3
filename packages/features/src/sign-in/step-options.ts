import { z } from 'zod';
import { publicProcedure } from '../app/procedures.js';
import { challengeSchema, openChallenge } from './open-challenge.js';

/** The ways to take the second step of a sign-in. */
export const stepOptions = publicProcedure
  .meta({ about: { summary: 'See how to take the second step', refuses: ['invalid_challenge'] } })
  .input(z.object({ challenge: challengeSchema }))
  .output(z.object({ data: z.object({ methods: z.array(z.string()), expiresAt: z.iso.datetime() }) }))
  .mutation(async ({ ctx, input }) => {
    const { challenge, methods } = await openChallenge(ctx, input.challenge);
    return { data: { methods: [...methods], expiresAt: new Date(challenge.expiresAtMs).toISOString() } };
  });

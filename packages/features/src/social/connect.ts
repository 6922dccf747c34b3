import { insertSocialState } from '@gatehouse/db';
import { enforceLimit } from '@gatehouse/runtime/limits/enforce-limit';
import { z } from 'zod';
import { changeDecided } from '../audit/change-decided.js';
import { sessionKey } from '../core/guard/caller.js';
import { freshConnectionProcedure } from '../core/guard/procedures.js';
import { requireProvider } from './configured-provider.js';
import { mainUrl } from './main-url.js';
import { CODE_LIFE_MS, newCode } from './one-use-code.js';

const MOST_PER_HOUR = 60;
const HOUR_MS = 3_600_000;

/**
 * Begins to connect a provider: returns the URL for the browser to open. The callback connects nothing; only
 * this session can finish. A connection outlives the session and the password, so both ends need a recent verification.
 */
export const connect = freshConnectionProcedure
  .input(z.object({ provider: z.string().max(50) }))
  .output(z.object({ url: z.url() }))
  .mutation(async ({ ctx, input }) => {
    const { services, caller } = ctx;
    const { key, providerId } = requireProvider(services.config, input.provider);
    await enforceLimit(services, {
      key: `social-connect:member:${caller.memberId}`,
      name: 'social-connect',
      most: MOST_PER_HOUR,
      windowMs: HOUR_MS,
    });
    const { code, stateKey } = newCode();
    await changeDecided(ctx, {}, (tx, nowMs) =>
      insertSocialState(tx, {
        stateKey,
        purpose: 'connect',
        providerId,
        memberId: caller.memberId,
        sessionTokenKey: sessionKey(caller.session),
        payload: null,
        nowMs,
        expiresAtMs: nowMs + CODE_LIFE_MS,
      }),
    );
    return { url: `${mainUrl(services.config)}/social/${key}?connect=${code}` };
  });

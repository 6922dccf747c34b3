import { audienceKey } from '@gatehouse/db/queries/events';
import { z } from 'zod';
import { accountProcedure, publicProcedure } from '../core/guard/procedure.js';
import { EVENT_TYPE_NAMES, EVENT_TYPES } from './event-types.js';
import { feedInput, feedView, readFeed } from './read-feed.js';

/**
 * The events of an account in order, each once to a reader that continues from the cursor. It needs `event.read`;
 * events of the subscription are left out without `subscription.read`.
 */
export const listAccountEvents = accountProcedure('event.read')
  .meta({
    about: {
      summary: 'Read the events of the account in order, and wait for the next',
      refuses: ['invalid_cursor', 'cursor_expired', 'rate_limited'],
    },
  })
  .input(feedInput)
  .output(feedView)
  .query(({ ctx, input }) => {
    const { account, caller } = ctx;
    const audience = audienceKey('account', account.id);
    const hidden = account.permissions.has('subscription.read') ? undefined : 'subscription.';
    return readFeed(ctx, { scope: audience, audience, callerId: caller.memberId }, { ...input, hidden });
  });

const catalog = EVENT_TYPE_NAMES.map((type) => {
  const { version, data } = EVENT_TYPES[type];
  return { type, version, data: z.toJSONSchema(data) as Record<string, unknown> };
});

/** The types of events, with the JSON Schema of their data. */
export const eventCatalogue = publicProcedure
  .meta({ about: { summary: 'List the types of events with their schemas' } })
  .output(
    z.object({
      data: z.array(
        z.object({ type: z.string(), version: z.int(), data: z.record(z.string(), z.unknown()) }),
      ),
    }),
  )
  .query(() => ({ data: catalog }));

import { staffProcedure } from '../../core/guard/procedure.js';
import { feedInput, feedView, readFeed } from '../read-feed.js';

/** All events of the deployment in order, except those of accounts that require a higher level than the session has. */
export const listAllEvents = staffProcedure('platformEvent.manage')
  .meta({
    about: {
      summary: 'Read the events of the deployment in order, and wait for the next',
      refuses: ['invalid_cursor', 'cursor_expired', 'rate_limited'],
    },
  })
  .input(feedInput)
  .output(feedView)
  .query(({ ctx, input }) =>
    readFeed(
      ctx,
      {
        scope: 'deployment',
        audience: undefined,
        callerId: ctx.caller.memberId,
        level: ctx.caller.session.level,
      },
      { ...input, hidden: undefined },
    ),
  );

import type { IncomingHttpHeaders } from 'node:http';
import { bearerTokenIn } from './bearer-header.js';
import { createPacer } from './create-pacer.js';
import { headerText } from './header-text.js';
import type { KnownTokens } from './known-tokens.js';

/** Requests without a token that opens something are begun so many in each turn of the event loop. */
const STRANGERS_PER_TURN = 4;
/** Tokens never seen before are looked at so many in each turn, since anybody can make up any number of them. */
const UNSEEN_PER_TURN = 8;

/** Decides which requests begin at once and which wait for their turn. */
export interface Admission {
  enter(headers: IncomingHttpHeaders, work: () => void): void;
}

/**
 * Callers whose token opens something do not wait behind a burst of logins, which is the work of strangers. A token that is
 * remembered costs one look-up; any other is verified in a queue of its own, and counts for nothing when it opens nothing.
 */
export function createAdmission(tokens: KnownTokens): Admission {
  const strangers = createPacer(STRANGERS_PER_TURN);
  const unseen = createPacer(UNSEEN_PER_TURN);

  return {
    enter(headers, work) {
      const session = headerText(headers[tokens.headerName]);
      const kind = session === undefined ? 'bearer' : 'session';
      const token = session ?? bearerTokenIn(headers.authorization);
      if (token === undefined) strangers.enter(work);
      else if (tokens.remembers(kind, token)) work();
      else
        unseen.enter(() => {
          if (tokens.opens(kind, token)) work();
          else strangers.enter(work);
        });
    },
  };
}

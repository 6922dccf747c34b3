import type { IncomingHttpHeaders } from 'node:http';
import { createAdmissionQueue } from './create-admission-queue.js';
import { headerText } from './header-text.js';
import type { KnownTokens } from './known-tokens.js';
import type { SessionCookies } from './session-cookies.js';
import { bearerTokenIn, sessionTokenIn } from './token-headers.js';

/** How many requests without a valid token begin in each turn of the event loop. */
const UNAUTHENTICATED_PER_ROUND = 4;
/** How many unknown tokens are verified in each turn, because anybody can send any number of them. */
const UNSEEN_PER_TURN = 8;

/** Decides which requests begin at once and which wait for their turn. */
export interface Admission {
  enter(headers: IncomingHttpHeaders, work: () => void): void;
}

/**
 * Callers with a valid token do not wait behind a burst of logins, which anybody can send. A known token
 * costs one look-up. An unknown one is verified in a separate queue, and gets no priority if it is invalid.
 */
export function createAdmission(
  tokens: KnownTokens,
  cookies: Pick<SessionCookies, 'readSession'>,
): Admission {
  const unauthenticated = createAdmissionQueue(UNAUTHENTICATED_PER_ROUND);
  const unseen = createAdmissionQueue(UNSEEN_PER_TURN);

  function cookieIn({ authorization, cookie }: IncomingHttpHeaders): string | undefined {
    return authorization === undefined ? cookies.readSession(cookie)?.token : undefined;
  }

  return {
    enter(headers, work) {
      const session =
        sessionTokenIn(tokens.headerName, headerText(headers[tokens.headerName])) ?? cookieIn(headers);
      const kind = session === undefined ? 'bearer' : 'session';
      const token = session ?? bearerTokenIn(headers.authorization);
      if (token === undefined) unauthenticated.enter(work);
      else if (tokens.remembers(kind, token)) work();
      else
        unseen.enter(() => {
          if (tokens.opens(kind, token)) work();
          else unauthenticated.enter(work);
        });
    },
  };
}

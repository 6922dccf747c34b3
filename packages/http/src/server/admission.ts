import type { IncomingHttpHeaders } from 'node:http';
import type { KnownTokens } from './request-context.js';
import { bearerTokenIn, headerText, sessionTokenIn } from './request-headers.js';
import type { SessionCookies } from './session-cookies.js';

/** Runs pieces of work in order, a few per turn of the event loop. */
interface AdmissionQueue {
  enter(work: () => void): void;
}

/**
 * Spreads a burst: it runs `perRound` at a time and lets other ready work run in between. Without a burst
 * nothing waits.
 */
export function createAdmissionQueue(perRound: number): AdmissionQueue {
  const waiting: (() => void)[] = [];
  let done = 0;
  let isRoundScheduled = false;

  function scheduleRound(): void {
    if (isRoundScheduled) return;
    isRoundScheduled = true;
    setImmediate(() => {
      isRoundScheduled = false;
      done = 0;
      const batch = waiting.splice(0, perRound);
      if (batch.length > 0) scheduleRound();
      done = batch.length;
      for (const work of batch) work();
    });
  }

  return {
    enter(work) {
      scheduleRound();
      if (done >= perRound || waiting.length > 0) waiting.push(work);
      else {
        done += 1;
        work();
      }
    },
  };
}

/** How many requests without a valid token begin in each turn of the event loop. */
const UNAUTHENTICATED_PER_ROUND = 4;

/** How many unknown tokens are verified in each turn, because anybody can send any number of them. */
const UNSEEN_PER_TURN = 8;

/** Decides which requests begin at once and which wait for their turn. */
interface Admission {
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

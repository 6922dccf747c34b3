import { CLIENT_HEADER } from '../server/session-cookies.js';
import type { Rule } from '../trpc/rule.js';
import type { Operation, Schema } from './document.js';

const JWT = 'A JSON Web Token, HS256, checked as RFC8725 advises.';

/** The names that a deployment has for what callers authenticate with. */
export interface CredentialNames {
  /** The header of session tokens. */
  readonly tokenHeader: string;
  /** The cookie with a session token. */
  readonly sessionCookie: string;
}

/** All ways to authenticate, by key. */
export function securitySchemes({
  tokenHeader,
  sessionCookie,
}: CredentialNames): Readonly<Record<string, Schema>> {
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });
  return {
    session: header(tokenHeader, `The session token that a login answers. ${JWT}`),
    bearer: {
      ...bearer(`The token of \`/authenticate\`, taken where there is no session token. ${JWT}`),
      bearerFormat: 'JWT',
    },
    cookie: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookie,
      description: `The session of a browser, taken where there is neither a session token nor \`Authorization\`. The procedures \`signIn\` set it where they are called with \`${CLIENT_HEADER}: cookie\`. It counts only with \`cookieClient\`, for reading too.`,
    },
    cookieClient: header(
      CLIENT_HEADER,
      'The word `cookie`, which foreign pages cannot send. The request must also have `Sec-Fetch-Site: same-origin` or a listed `Origin`, as browsers send them, or be a GET with neither; otherwise it is refused with `origin_refused`.',
    ),
    partner: {
      ...bearer(`The token of \`/partnerAuth/partnerAuthentication\`. ${JWT}`),
      bearerFormat: 'JWT',
    },
    authToken: header(
      'Authorization',
      'The auth_token of `/auth/apiToken`, with or without `Bearer ` before it.',
    ),
    metrics: bearer('The value of METRICS_TOKEN.'),
    stripeSignature: header('Stripe-Signature', 'The signature of Stripe over the body.'),
    paddleSignature: header('Paddle-Signature', 'The signature of Paddle over the body.'),
  };
}

/** The ways to authenticate for a rule: one of these. */
export function ruleSecurity(rule: Rule): Operation['security'] {
  switch (rule.who) {
    case 'anyone':
      return [];
    case 'bearer':
    case 'partner':
    case 'authToken':
      return [{ [rule.who]: [] }];
    case 'member':
    case 'account':
    case 'staff':
    case 'root':
      return [{ session: [] }, { bearer: [] }, { cookie: [], cookieClient: [] }];
  }
}

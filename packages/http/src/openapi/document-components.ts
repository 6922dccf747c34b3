import { type CredentialKind, ERRORS, type ErrorCode } from '@gatehouse/auth-core';
import { CLIENT_HEADER } from '../server/session-cookies.js';
import type { Rule } from '../trpc/procedure-rule.js';
import { REFUSAL_SCHEMAS, refusalAnswer } from './answers.js';
import type { Operation, Reference, Response, Schema } from './open-api-types.js';

/** Shared parts of operations, collected while they are described. */
export interface Components {
  readonly schemas: Map<string, Schema>;
  readonly responses: Map<string, Response>;
}

export function newComponents(): Components {
  return { schemas: new Map(Object.entries(REFUSAL_SCHEMAS)), responses: new Map() };
}

/**
 * The answers to refusals, by status. Those with the same codes and sentences are one component.
 * @param credentials what the operation takes, if `invalid_credentials` has a sentence for that
 */
export function refusalAnswers(
  codes: readonly ErrorCode[],
  { responses }: Components,
  credentials: readonly CredentialKind[] = [],
): Operation['responses'] {
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted(
    (one, other) => one - other,
  );
  const answers = statuses.map((status): [number, Reference] => {
    const own = [...new Set(codes.filter((code) => ERRORS[code].status === status))].toSorted();
    const key = own
      .map((code) => (code === 'invalid_credentials' ? [code, ...credentials].join('-') : code))
      .join('.');
    if (!responses.has(key)) responses.set(key, refusalAnswer(own, credentials));
    return [status, { $ref: `#/components/responses/${key}` }];
  });
  return Object.fromEntries(answers);
}

const JWT = 'A JSON Web Token, HS256, checked as RFC8725 advises.';

/** The names that a deployment uses for its credentials. */
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
    apiKey: bearer('An API key of a machine, which begins with `gthk_`.'),
    applicationToken: bearer('An access token of an application, which begins with `gtha_`.'),
    scimToken: bearer('A token of a directory, which begins with `gths_`.'),
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

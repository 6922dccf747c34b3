import type { Rule } from '../trpc/rule.js';
import type { Operation, Schema } from './document.js';

const JWT = 'A JSON Web Token, HS256, checked as RFC8725 advises.';

/** All ways to authenticate, by key. */
export function securitySchemes(tokenHeader: string): Readonly<Record<string, Schema>> {
  const bearer = (description: string) => ({ type: 'http', scheme: 'bearer', description });
  const header = (name: string, description: string) => ({ type: 'apiKey', in: 'header', name, description });
  return {
    session: header(tokenHeader, `The session token that a login answers. ${JWT}`),
    bearer: {
      ...bearer(`The token of \`/authenticate\`, taken where there is no session token. ${JWT}`),
      bearerFormat: 'JWT',
    },
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
      return [{ session: [] }, { bearer: [] }];
  }
}

import type { ListedProcedure } from '../trpc/list-procedures.js';
import type { Rule } from '../trpc/rule.js';
import type { CodeSample } from './document.js';
import { typescriptLiteral } from './typescript-literal.js';

/** The two procedures for which the client has its own method, which stores the session. */
const OWN_METHODS: Readonly<Record<string, string>> = { 'login.web': 'signIn', 'session.end': 'signOut' };

/** How the typed client calls a procedure. */
export function clientSample(
  { name, type, rule, input }: ListedProcedure,
  example: Readonly<Record<string, unknown>>,
): CodeSample {
  const method = OWN_METHODS[name];
  const isEmpty = Object.keys(example).length === 0;
  const bearer = bearerOf(rule);
  const written = typescriptLiteral(example);
  const first = input === undefined ? (bearer === undefined ? '' : 'undefined') : written;
  const call =
    method === undefined
      ? `gatehouse${accountOf(rule)}.api.${name}.${type === 'query' ? 'query' : 'mutate'}`
      : `gatehouse.${method}`;
  const given = method !== undefined && isEmpty ? '' : first;
  const options = bearer === undefined ? '' : `, perCall({ bearer: ${bearer} })`;
  return { lang: 'TypeScript', label: 'Client', source: `const answer = await ${call}(${given}${options});` };
}

function accountOf(rule: Rule | undefined): string {
  return rule?.who === 'account' ? '.withAccount(1)' : '';
}

/** The variable for a token that the client does not store itself. */
function bearerOf(rule: Rule | undefined): string | undefined {
  switch (rule?.who) {
    case 'bearer':
      return 'bearerToken';
    case 'partner':
      return 'partnerToken';
    case 'authToken':
      return 'authToken';
    default:
      return undefined;
  }
}

import type { Operation } from './document.js';

const OTHER_TOKENS: Readonly<Record<string, string>> = {
  loginBearer: 'bearer',
  partnerAuthenticate: 'partner',
  sessionIssueAuthToken: 'authToken',
};

/** The security scheme for the `token` an operation returns; none if it returns none. */
export function keptToken({ operationId, responses }: Operation): string | undefined {
  const answer = responses['200'];
  if (answer === undefined || '$ref' in answer) return undefined;
  const properties = answer.content?.['application/json']?.schema['properties'];
  if (typeof properties !== 'object' || properties === null || !('token' in properties)) return undefined;
  return OTHER_TOKENS[operationId.replace(/Legacy$/, '')] ?? 'session';
}

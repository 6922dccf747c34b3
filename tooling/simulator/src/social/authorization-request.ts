import type { Dialect } from './dialect.js';

/** The error a provider would report for an authorization request; undefined if it is valid. */
export function authorizationProblem(
  dialect: Dialect,
  clientId: string,
  query: URLSearchParams,
): string | undefined {
  const isChallenged = query.has('code_challenge');
  if (query.get(dialect.clientIdParameter) !== clientId) return 'unauthorized_client';
  if (query.get('response_type') !== 'code') return 'unsupported_response_type';
  if (!query.get('state')) return 'missing_state';
  if (!isWebAddress(query.get('redirect_uri') ?? '')) return 'invalid_redirect_uri';
  if (dialect.pkce === 'required' && !isChallenged) return 'missing_code_challenge';
  if (dialect.pkce === 'unknown' && isChallenged) return 'unexpected_code_challenge';
  if (isChallenged && query.get('code_challenge_method') !== 'S256') return 'weak_code_challenge';
  if (requestedScopes(dialect, query).some((scope) => /[\s,]/.test(scope))) return 'invalid_scope';
  return undefined;
}

/** The scopes of an authorization request, split by this provider's separator. */
export function requestedScopes(dialect: Dialect, query: URLSearchParams): string[] {
  return (query.get('scope') ?? '').split(dialect.scopeSeparator).filter(Boolean);
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

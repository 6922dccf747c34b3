import type { Call } from './call.js';

/** The credentials of `Authorization: Bearer …` (RFC 6750, section 2.1), undefined without them. */
export function bearerTokenIn(call: Call): string | undefined {
  const header = call.header('authorization');
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

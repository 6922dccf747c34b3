/** The credentials of `Authorization: Bearer …` (RFC 6750, section 2.1), undefined without them. */
export function bearerTokenIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/**
 * The session token in the header that carries it. In `Authorization` a value with a scheme, such as `Bearer …`, is none:
 * a session token stands there alone, as clients of the replaced system send it.
 */
export function sessionTokenIn(name: string, value: string | undefined): string | undefined {
  if (value === undefined || name !== 'authorization') return value;
  return /\s/.test(value.trim()) ? undefined : value;
}

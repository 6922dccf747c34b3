/** The credentials of `Authorization: Bearer …` (RFC 6750, section 2.1), undefined without them. */
export function bearerTokenIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/** What the token of a connection is encrypted for: one identity and one column. */
export function connectionSecretContext(
  identity: { readonly providerId: number; readonly providerUserId: string },
  column: 'accessToken' | 'refreshToken',
): string {
  return `socialConnection:${identity.providerId}:${identity.providerUserId}:${column}`;
}

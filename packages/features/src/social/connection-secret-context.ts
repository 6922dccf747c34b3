/** The encryption context of a connection's token: one identity and one column. */
export function connectionSecretContext(
  identity: { readonly providerId: number; readonly providerUserId: string },
  column: 'accessToken' | 'refreshToken',
): string {
  return `socialConnection:${identity.providerId}:${identity.providerUserId}:${column}`;
}

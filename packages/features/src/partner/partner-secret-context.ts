/** What a partner's secrets are sealed for: that partner's row and no other. A partner's name never changes. */
export function partnerSecretContext(nameKey: string): string {
  return `partner:${nameKey}:secretKey`;
}

/** The encryption context of a partner's secrets: its own row only. A partner's name never changes. */
export function partnerSecretContext(nameKey: string): string {
  return `partner:${nameKey}:secretKey`;
}

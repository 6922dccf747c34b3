/** Where an affiliate sends people: the registration page, with their code. Null while they are not active. */
export function marketingLink(affiliate: { code: string; active: boolean }, appUrl: string): string | null {
  return affiliate.active ? `${appUrl}/register?ref=${encodeURIComponent(affiliate.code)}` : null;
}

/** The registration page with the affiliate's code. Null while the affiliate is not active. */
export function marketingLink(affiliate: { code: string; active: boolean }, appUrl: string): string | null {
  return affiliate.active ? `${appUrl}/register?ref=${encodeURIComponent(affiliate.code)}` : null;
}

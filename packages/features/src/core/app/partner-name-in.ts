import { usernameKey } from '@gatehouse/auth-core';
import type { PartnerName } from '@gatehouse/db';

/**
 * Parses a partnerId: the id that another system gave the partner; else digits are its number, other text its name.
 */
export function partnerNameIn(partnerId: string | number): PartnerName {
  const sent = String(partnerId);
  const id = typeof partnerId === 'number' || /^\d{1,16}$/.test(partnerId) ? Number(partnerId) : undefined;
  if (id !== undefined) return { sent, id: Number.isSafeInteger(id) ? id : 0 };
  return { sent, nameKey: usernameKey(sent) };
}

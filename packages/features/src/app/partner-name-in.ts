import { usernameKey } from '@gatehouse/auth-core';
import type { PartnerName } from '@gatehouse/db';

/** Parses a partnerId: digits are a partner's number, other text its name. Undefined if it is neither. */
export function partnerNameIn(partnerId: string | number): PartnerName | undefined {
  const id = typeof partnerId === 'number' || /^\d{1,16}$/.test(partnerId) ? Number(partnerId) : undefined;
  if (id !== undefined) return Number.isSafeInteger(id) && id > 0 ? { id } : undefined;
  const nameKey = usernameKey(String(partnerId));
  return nameKey === '' ? undefined : { nameKey };
}

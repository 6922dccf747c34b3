import { takeLink } from '../take-link.js';

const KEY = 'gatehouse.invitation';

/** The invitation whose link led here. This tab keeps it while its reader signs in first. */
export function takeInvitation(): string | undefined {
  const token = takeLink().get('token');
  if (token !== null) sessionStorage.setItem(KEY, token);
  return token ?? sessionStorage.getItem(KEY) ?? undefined;
}

export function forgetInvitation(): void {
  sessionStorage.removeItem(KEY);
}

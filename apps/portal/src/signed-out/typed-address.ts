const KEY = 'gatehouse.address';

/** Keeps the address that was typed at sign-in for the next document of this tab. */
export function keepTypedAddress(email: string): void {
  sessionStorage.setItem(KEY, email);
}

/** The address that was typed at sign-in. */
export function typedAddress(): string {
  return sessionStorage.getItem(KEY) ?? '';
}

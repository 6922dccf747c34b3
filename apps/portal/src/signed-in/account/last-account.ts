const KEY = 'gatehouse.account';

/** Remembers in which account this tab acted last. */
export function recordAccount(accountId: number): void {
  try {
    sessionStorage.setItem(KEY, String(accountId));
  } catch {
    // Without storage the first account is offered.
  }
}

export function lastAccount(): number | undefined {
  try {
    const kept = sessionStorage.getItem(KEY);
    return kept === null ? undefined : Number(kept);
  } catch {
    return undefined;
  }
}

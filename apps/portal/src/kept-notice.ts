const KEY = 'gatehouse.notice';

/** Keeps a sentence for the page with the organizations, which this tab opens next. */
export function keepNotice(notice: string): void {
  sessionStorage.setItem(KEY, notice);
}

/** The sentence that was kept, once. */
export function takeNotice(): string | undefined {
  const notice = sessionStorage.getItem(KEY) ?? undefined;
  sessionStorage.removeItem(KEY);
  return notice;
}

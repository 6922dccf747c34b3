let left: string | undefined;

/** Leaves a notice for the list, which is shown next. */
export function leaveNotice(notice: string): void {
  left = notice;
}

/** The sentence that was left for the list, once. */
export function takeLeftNotice(): string | undefined {
  const notice = left;
  left = undefined;
  return notice;
}

let left: string | undefined;

/** Leaves a notice for the list, which is shown next. */
export function leaveNotice(notice: string): void {
  left = notice;
}

/** Shows once the sentence that the previous page left for the list. */
export function takeLeftNotice(): string | undefined {
  const notice = left;
  left = undefined;
  return notice;
}

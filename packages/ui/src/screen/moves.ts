let hasMoved = false;

/** Remembers that the document shows another screen than the one it was opened with. */
export function recordMove(): void {
  hasMoved = true;
}

/** Whether somebody came here from another screen of this document, and is to be told what this one is. */
export const isAfterMove = (): boolean => hasMoved;

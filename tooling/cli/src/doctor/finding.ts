/** One thing the doctor looked at; the text of what is not well says what to do. */
export interface Finding {
  readonly isWell: boolean;
  readonly text: string;
}

/** A finding that is well, or not, with what to say of either. */
export function finding(isWell: boolean, well: string, ill: string): Finding {
  return { isWell, text: isWell ? well : ill };
}

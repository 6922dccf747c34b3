/** One thing the doctor checked. The text of a problem says what to do. */
export interface Finding {
  readonly isWell: boolean;
  readonly text: string;
}

/** Makes a finding, good or bad, from the text for either case. */
export function finding(isWell: boolean, well: string, ill: string): Finding {
  return { isWell, text: isWell ? well : ill };
}

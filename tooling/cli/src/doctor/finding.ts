/** One thing the doctor checked. The text of a problem says what to do. */
export interface Finding {
  readonly isWell: boolean;
  readonly text: string;
}

/** Creates a finding, good or bad, with the text for that case. */
export function finding(isWell: boolean, well: string, ill: string): Finding {
  return { isWell, text: isWell ? well : ill };
}

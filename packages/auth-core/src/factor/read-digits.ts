/** Blanks, hyphens, dashes and minus signs of any script, and what no page shows, such as a zero-width space of a copied mail. */
const IGNORED = /[\p{White_Space}\p{Pd}\u2212\p{Cf}]/gu;
const DIGIT = /\p{Nd}/gu;

/** A code as people type or paste it, in any width and with the digits of any script, in ASCII and without blanks and hyphens. */
export function readTyped(submitted: string): string {
  return submitted.normalize('NFKC').replace(IGNORED, '').replace(DIGIT, asciiDigit);
}

/** The digits of a code as people type it. Undefined unless it has this length. */
export function readDigits(submitted: string, length: number): string | undefined {
  const digits = readTyped(submitted);
  return digits.length === length && /^[0-9]+$/.test(digits) ? digits : undefined;
}

/** Each script has its ten digits in a row, from zero on (Unicode, section 4.6); of rows without a gap between them NFKC leaves none. */
function asciiDigit(digit: string): string {
  let code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - 1))) {
    code -= 1;
    value += 1;
  }
  return String(value);
}

const IGNORED = /[\s-]/g;

/** The ASCII digits of a code as people type it, without blanks and hyphens. Undefined unless it has this length. */
export function readDigits(submitted: string, length: number): string | undefined {
  const digits = submitted.replace(IGNORED, '');
  return digits.length === length && /^[0-9]+$/.test(digits) ? digits : undefined;
}

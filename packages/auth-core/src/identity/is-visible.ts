import { INVISIBLE } from './invisible.js';

const VISIBLE = new RegExp(String.raw`[^${INVISIBLE}\p{Z}\p{M}\s]`, 'u');

/**
 * Whether a text has a visible character: anything but blanks, invisible letters and marks without a letter.
 */
export function isVisible(text: string): boolean {
  return VISIBLE.test(text);
}

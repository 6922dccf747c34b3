/** The prefix of an ASCII label that encodes one in Unicode (RFC 5890, section 2.3.2.1). */
const ACE = 'xn--';

/**
 * A stored e-mail address for people to read: its domain in Unicode. The domain stays in ASCII if the browser would not
 * make the same ASCII of what is shown.
 */
export function shownAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  if (at === 0 || !domain.includes(ACE)) return address;
  const shown = domain
    .split('.')
    .map((label) => (label.startsWith(ACE) ? decodePunycode(label.slice(ACE.length)) : label))
    .join('.');
  return asciiOf(shown) === domain ? `${address.slice(0, at)}${shown}` : address;
}

/** The ASCII form that the browser gives a domain (UTS 46); undefined if it is not one. */
function asciiOf(domain: string): string | undefined {
  try {
    return new URL(`http://${domain}`).hostname;
  } catch {
    return undefined;
  }
}

const DIGITS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const BASE = DIGITS.length;
const [LEAST, MOST, SKEW, DAMP] = [1, 26, 38, 700];

/** Decodes Punycode (RFC 3492, section 6.2). Text that is not Punycode decodes to something else. */
function decodePunycode(text: string): string {
  const delimiter = text.lastIndexOf('-');
  const letters = Array.from(text.slice(0, Math.max(0, delimiter)));
  let [codePoint, place, bias] = [128, 0, 72];
  for (let index = delimiter + 1; index < text.length; ) {
    const before = place;
    for (let [weight, k] = [1, BASE]; ; k += BASE) {
      const digit = DIGITS.indexOf(text[index] ?? '');
      if (digit < 0 || index >= text.length) return '';
      index += 1;
      place += digit * weight;
      const threshold = Math.min(MOST, Math.max(LEAST, k - bias));
      if (digit < threshold) break;
      weight *= BASE - threshold;
    }
    const length = letters.length + 1;
    bias = adapt(place - before, length, before === 0);
    codePoint += Math.floor(place / length);
    if (codePoint > 0x10_ff_ff) return '';
    place %= length;
    letters.splice(place, 0, String.fromCodePoint(codePoint));
    place += 1;
  }
  return letters.join('');
}

/** RFC 3492, section 6.1. */
function adapt(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let k = 0;
  for (; rest > ((BASE - LEAST) * MOST) / 2; k += BASE) rest = Math.floor(rest / (BASE - LEAST));
  return k + Math.floor(((BASE - LEAST + 1) * rest) / (rest + SKEW));
}

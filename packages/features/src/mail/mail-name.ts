/** Longer names are cut to this length. */
const LONGEST = 60;
const INVISIBLE = /\p{Cf}/gu;
/** More invisible characters. Some of them combine with the character before them. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** Colons of several scripts. Mail programs or readers could take each for the colon of a URL. */
const COLON = String.raw`[:\u2236\uA789\u0589\u05C3]`;
const PHONE_DIGITS = 7;
/**
 * Chinese and Japanese digits are letters in Unicode, with a numeric value. There are everyday, financial and spoken
 * forms.
 */
const HAN_DIGITS = '零一二三四五六七八九壹弌贰貳弐叁叄参參弎肆伍陆陸柒漆捌玖両两兩幺';
/** A digit of any script. */
const DIGIT = String.raw`[\p{N}${HAN_DIGITS}]`;
/** The characters that may separate digits. */
const SEPARATOR = String.raw`[^\p{L}\p{N}]`;
/** What must not reach strangers through a name. Every top-level domain has two letters or more. */
const FORBIDDEN: readonly RegExp[] = [
  // A line break, an address or `@name`, a path.
  /[\p{Cc}\u2028\u2029@/\\]/u,
  // A scheme (RFC 3986, section 3.1).
  new RegExp(String.raw`\p{L}[\p{L}\p{N}+.-]*${COLON}\S`, 'u'),
  new RegExp(String.raw`(?<!\p{L})(?:tel|sms|mailto|https?|ftp|callto|whatsapp)\s*${COLON}`, 'iu'),
  // A domain, an IP address.
  /www\.|[.\u3002]\p{L}[\p{L}\p{M}]|\p{N}+\.\p{N}+\.\p{N}+/iu,
  // A telephone number: digits of any script, with anything but letters between them.
  new RegExp(`(?:${DIGIT}${SEPARATOR}*){${PHONE_DIGITS}}`, 'u'),
];

/**
 * A name chosen by its owner, as mails may show it to other people. Undefined if it looks like a link, an address
 * or a telephone number, so that nobody can send theirs through us.
 */
export function mailName(name: string): string | undefined {
  const plain = name.normalize('NFKC').replaceAll(INVISIBLE, '').trim();
  const bare = plain.replaceAll(IGNORABLE, '');
  if (bare === '' || FORBIDDEN.some((pattern) => pattern.test(bare))) return undefined;
  const letters = [...plain];
  return letters.length <= LONGEST
    ? plain
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`;
}

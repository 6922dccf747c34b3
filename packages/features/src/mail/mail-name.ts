/** Longer names are cut to this length. */
const LONGEST = 60;
const INVISIBLE = /\p{Cf}/gu;
/** More invisible characters. Some of them combine with the character before them. */
const IGNORABLE = /\p{Default_Ignorable_Code_Point}/gu;
/** A line break, or text that mail programs turn into a link: an address, a scheme, a path, a domain, an IP address. */
const LIKE_A_LINK = /[\p{Cc}\u2028\u2029@/\\]|:\/\/|www\.|[\p{L}\p{N}][.\u3002][\p{L}]{2}|\d+\.\d+\.\d+/iu;

/**
 * A name chosen by its owner, as mails may show it to other people. Undefined if it looks like a link or an
 * address, so that nobody can send theirs through us.
 */
export function mailName(name: string): string | undefined {
  const plain = name.normalize('NFKC').replaceAll(INVISIBLE, '').trim();
  const bare = plain.replaceAll(IGNORABLE, '');
  if (bare === '' || LIKE_A_LINK.test(bare)) return undefined;
  const letters = [...plain];
  return letters.length <= LONGEST
    ? plain
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`;
}

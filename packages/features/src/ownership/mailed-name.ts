const LONGEST = 60;
/** A link, an address, or what a mail program makes a link of. */
const LINK = /@|:\/\/|www\.|\b[\w-]+\.[a-z]{2,}\b/iu;

/**
 * A name that a member chose, as a mail may show it to others: its first 60 characters, and none of it where it is like
 * a link or an address, so that nobody's mails are sent by us.
 */
export function mailedName(name: string): string | undefined {
  if (LINK.test(name.normalize('NFKC'))) return undefined;
  return [...name].slice(0, LONGEST).join('');
}

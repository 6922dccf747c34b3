import type { Locale } from '@gatehouse/db/tables/member-tables';
import type { MailContent } from '@gatehouse/runtime/mail/mail-driver';

/**
 * How the mails of a kind to one address are limited. What strangers can start shares a limit with the other kinds of its sort:
 * `signIn` is requested to get in, `contact` reaches people who may not know us. The others have an hourly limit of their own: an
 * `own` mail above it is held, a `notice` is merged with others into one mail. `codes` are `own` for a member whose owner is
 * proven, and `signIn` for others, who may be strangers.
 */
type Counted =
  | { readonly countedAs: 'signIn' | 'contact' }
  | { readonly countedAs: 'own' | 'codes' | 'notice'; readonly mostPerHour: number };

/** One kind of mail. */
export type MailKind<Data> = Counted & {
  /** How long delivery is tried, in milliseconds. */
  readonly lifeMs: number;
  /** The content in every language. */
  readonly compose: Readonly<Record<Locale, (data: Data) => MailContent>>;
};

// Mails do not know where their reader is, so they name the zone.
const STYLE = { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' } as const;
const ENGLISH = new Intl.DateTimeFormat('en-US', STYLE);
const GERMAN = new Intl.DateTimeFormat('de-DE', STYLE);

/** A time in English mails: `January 5, 2026 at 9:30 AM (UTC)`. */
export function englishTime(atMs: number): string {
  return `${ENGLISH.format(atMs).replaceAll('\u202F', ' ')} (UTC)`;
}

/** A time in German mails: `5. Januar 2026 um 09:30 Uhr (UTC)`. */
export function germanTime(atMs: number): string {
  return `${GERMAN.format(atMs)} Uhr (UTC)`;
}

/** A number of units in English mails: `1 minute`, `10 minutes`. */
export function englishCount(count: number, unit: 'minute' | 'hour'): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** A number of units in German mails: `1 Minute`, `10 Minuten`. */
export function germanCount(count: number, unit: 'Minute' | 'Stunde'): string {
  return `${count} ${unit}${count === 1 ? '' : 'n'}`;
}

/** The button for somebody who did not do what a mail is about, by the link to the page that mails a new password's link. */
export const NEW_PASSWORD = {
  en: (link: string) => ({ label: 'Set a new password', link }),
  de: (link: string) => ({ label: 'Neues Passwort festlegen', link }),
};

/** The sentences about access that a first proof switched off, and where its owner decides. */
export const HELD = {
  en: 'People and partners who were given access earlier have been deactivated. Your start page asks about each of them: until you allow it, they have no access.',
  de: 'Personen und Partner, die früher Zugriff erhalten haben, wurden deaktiviert. Deine Startseite fragt nach jedem von ihnen: Solange du sie nicht zulässt, haben sie keinen Zugriff.',
};

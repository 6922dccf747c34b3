import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells owners that somebody signed in without the single sign-on that their account requires. */
export const ssoBypassed: MailKind<{
  /** Omitted if it looks like a link. */
  accountName: string | undefined;
  /** Who did; omitted if the name looks like a link. */
  memberName: string | undefined;
  atMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, memberName, atMs, link }) => ({
      subject: 'Sign-in without a company account',
      paragraphs: [
        `${memberName ?? 'A member'} signed in to ${accountName === undefined ? 'your organization' : `the organization “${accountName}”`} on ${englishTime(atMs)} without a company account.`,
        'This is allowed for exempt admins and for our staff.',
        "If you weren't expecting this, check who is exempt.",
      ],
      action: { label: 'View exemptions', link },
      closing: [],
    }),
    de: ({ accountName, memberName, atMs, link }) => ({
      subject: 'Anmeldung ohne Firmenkonto',
      paragraphs: [
        `${memberName ?? 'Ein Mitglied'} hat sich am ${germanTime(atMs)} ohne Firmenkonto bei ${accountName === undefined ? 'deiner Organisation' : `der Organisation „${accountName}“`} angemeldet.`,
        'Das ist ausgenommenen Admins und unserem Team erlaubt.',
        'Wenn du das nicht erwartet hast, prüfe, wer ausgenommen ist.',
      ],
      action: { label: 'Ausnahmen ansehen', link },
      closing: [],
    }),
  },
};

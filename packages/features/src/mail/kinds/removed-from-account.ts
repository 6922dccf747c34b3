import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies somebody that they are no longer a member of an account. */
export const removedFromAccount: MailKind<{
  /** Omitted if it looks like a link. */
  accountName: string | undefined;
  atMs: number;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, atMs }) => ({
      subject: `You were removed from ${accountName === undefined ? 'an organization' : `“${accountName}”`}`,
      paragraphs: [
        `You were removed from ${accountName === undefined ? 'one of your organizations' : `the organization “${accountName}”`} on ${englishTime(atMs)}.`,
      ],
      closing: ["If you weren't expecting this, ask the owner of the organization."],
    }),
    de: ({ accountName, atMs }) => ({
      subject: `Du wurdest aus ${accountName === undefined ? 'einer Organisation' : `„${accountName}“`} entfernt`,
      paragraphs: [
        `Am ${germanTime(atMs)} wurdest du aus ${accountName === undefined ? 'einer deiner Organisationen' : `der Organisation „${accountName}“`} entfernt.`,
      ],
      closing: ['Wenn du das nicht erwartet hast, frage die Inhaber:in der Organisation.'],
    }),
  },
};

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
      subject: 'You were removed from an account',
      paragraphs: [
        `Since ${englishTime(atMs)} you are no longer a member of ${accountName === undefined ? 'an account you belonged to' : `the account “${accountName}”`}.`,
      ],
      closing: ['If that surprises you, ask the owners of the account.'],
    }),
    de: ({ accountName, atMs }) => ({
      subject: 'Du wurdest aus einem Konto entfernt',
      paragraphs: [
        `Seit ${germanTime(atMs)} gehörst du nicht mehr zu ${accountName === undefined ? 'einem deiner Konten' : `dem Konto „${accountName}“`}.`,
      ],
      closing: ['Wenn dich das überrascht, frage die Personen, denen das Konto gehört.'],
    }),
  },
};

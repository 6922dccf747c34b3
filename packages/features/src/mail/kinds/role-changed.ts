import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies a member about their new role in an account. */
export const roleChanged: MailKind<{
  /** Omitted if it looks like a link, like the role's name. */
  accountName: string | undefined;
  role: string | undefined;
  atMs: number;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, role, atMs }) => ({
      subject: 'You have another role',
      paragraphs: [
        `Since ${englishTime(atMs)} you have another role in ${accountName === undefined ? 'an account' : `the account “${accountName}”`}${role === undefined ? '' : `: ${role}`}.`,
      ],
      closing: ['If that surprises you, ask the owners of the account.'],
    }),
    de: ({ accountName, role, atMs }) => ({
      subject: 'Du hast eine andere Rolle',
      paragraphs: [
        `Seit ${germanTime(atMs)} hast du in ${accountName === undefined ? 'einem Konto' : `dem Konto „${accountName}“`} eine andere Rolle${role === undefined ? '' : `: ${role}`}.`,
      ],
      closing: ['Wenn dich das überrascht, frage die Personen, denen das Konto gehört.'],
    }),
  },
};

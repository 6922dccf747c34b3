import { germanTime } from '../german-time.js';
import type { MailKind } from '../mail-kind.js';

/** Notifies the old and the new primary owner of an account that the ownership was transferred. */
export const ownershipMoved: MailKind<{
  /** Omitted if it looks like a link, like the person's name. */
  accountName: string | undefined;
  ownerName: string | undefined;
  isNewOwner: boolean;
  atMs: number;
  link: string;
}> = {
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, ownerName, isNewOwner, atMs, link }) => {
      const account = accountName === undefined ? 'an account' : `the account “${accountName}”`;
      const owner = isNewOwner ? 'you are' : `${ownerName ?? 'another member'} is`;
      return {
        subject: isNewOwner ? 'An account is yours' : 'You handed an account over',
        paragraphs: [`Since ${new Date(atMs).toUTCString()} ${owner} the primary owner of ${account}.`],
        closing: [
          isNewOwner
            ? `Your accounts: ${link}`
            : `If it was not you, set a new password at once and ask our support: ${link}`,
        ],
      };
    },
    de: ({ accountName, ownerName, isNewOwner, atMs, link }) => {
      const account = accountName === undefined ? 'ein Konto' : `das Konto „${accountName}“`;
      const owner = isNewOwner ? 'Ihnen' : (ownerName ?? 'einem anderen Mitglied');
      return {
        subject: isNewOwner ? 'Ein Konto gehört jetzt Ihnen' : 'Sie haben ein Konto übergeben',
        paragraphs: [`Seit ${germanTime(atMs)} gehört ${account} ${owner}.`],
        closing: [
          isNewOwner
            ? `Ihre Konten: ${link}`
            : `Wenn Sie es nicht waren, setzen Sie sofort ein neues Passwort und fragen Sie unsere Hilfe: ${link}`,
        ],
      };
    },
  },
};

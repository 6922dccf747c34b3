import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Notifies the old and the new primary owner of an account that the ownership was transferred. */
export const ownershipMoved: MailKind<{
  /** Omitted if it looks like a link, like the person's name. */
  accountName: string | undefined;
  ownerName: string | undefined;
  isNewOwner: boolean;
  /** Whether staff did it. */
  isByStaff?: boolean;
  atMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ accountName, ownerName, isNewOwner, isByStaff = false, atMs, link }) => {
      const account = accountName === undefined ? 'an account' : `the account “${accountName}”`;
      const owner = isNewOwner ? 'you are' : `${ownerName ?? 'another member'} is`;
      const lost = isByStaff ? 'Our support handed an account over' : 'You handed an account over';
      return {
        subject: isNewOwner ? 'An account is yours' : lost,
        paragraphs: [`Since ${englishTime(atMs)} ${owner} the primary owner of ${account}.`],
        closing: [
          isNewOwner
            ? `Your accounts: ${link}`
            : isByStaff
              ? `If you did not ask for it, ask our support: ${link}`
              : `If it was not you, set a new password at once and ask our support: ${link}`,
        ],
      };
    },
    de: ({ accountName, ownerName, isNewOwner, isByStaff = false, atMs, link }) => {
      const account = accountName === undefined ? 'ein Konto' : `das Konto „${accountName}“`;
      const owner = isNewOwner ? 'dir' : (ownerName ?? 'einem anderen Mitglied');
      const lost = isByStaff ? 'Unsere Hilfe hat ein Konto übergeben' : 'Du hast ein Konto übergeben';
      return {
        subject: isNewOwner ? 'Ein Konto gehört jetzt dir' : lost,
        paragraphs: [`Seit ${germanTime(atMs)} gehört ${account} ${owner}.`],
        closing: [
          isNewOwner
            ? `Deine Konten: ${link}`
            : isByStaff
              ? `Wenn du nicht darum gebeten hast, frage unsere Hilfe: ${link}`
              : `Wenn du es nicht warst, setze sofort ein neues Passwort und frage unsere Hilfe: ${link}`,
        ],
      };
    },
  },
};

import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, NEW_PASSWORD } from '../mail-kind.js';

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
      const account = accountName === undefined ? 'an organization' : `the organization “${accountName}”`;
      const named = accountName === undefined ? 'an organization' : `“${accountName}”`;
      const owner = isNewOwner ? 'You became' : `${ownerName ?? 'Another member'} became`;
      const lost = isByStaff
        ? `Support transferred the ownership of ${named}`
        : `You transferred the ownership of ${named}`;
      return {
        subject: isNewOwner ? `You are now the owner of ${named}` : lost,
        paragraphs: [
          `${owner} the owner of ${account} on ${englishTime(atMs)}.`,
          ...(isNewOwner
            ? []
            : [
                isByStaff
                  ? "If you didn't request this, contact support."
                  : "If this wasn't you, set a new password now and contact support.",
              ]),
        ],
        action: isNewOwner || isByStaff ? { label: 'View organizations', link } : NEW_PASSWORD.en(link),
        closing: [],
      };
    },
    de: ({ accountName, ownerName, isNewOwner, isByStaff = false, atMs, link }) => {
      const account = accountName === undefined ? 'einer Organisation' : `der Organisation „${accountName}“`;
      const named = accountName === undefined ? 'einer Organisation' : `von „${accountName}“`;
      const owner = isNewOwner ? 'wurdest du' : `wurde ${ownerName ?? 'ein anderes Mitglied'}`;
      const lost = isByStaff
        ? `Der Support hat die Inhaberschaft ${named} übertragen`
        : `Du hast die Inhaberschaft ${named} übertragen`;
      return {
        subject: isNewOwner ? `Du bist jetzt Inhaber:in ${named}` : lost,
        paragraphs: [
          `Am ${germanTime(atMs)} ${owner} Inhaber:in ${account}.`,
          ...(isNewOwner
            ? []
            : [
                isByStaff
                  ? 'Wenn du das nicht angefordert hast, wende dich an den Support.'
                  : 'Wenn du das nicht warst, lege sofort ein neues Passwort fest und wende dich an den Support.',
              ]),
        ],
        action: isNewOwner || isByStaff ? { label: 'Organisationen ansehen', link } : NEW_PASSWORD.de(link),
        closing: [],
      };
    },
  },
};

import type { MailKind } from '../mail-kind.js';

/** Invites a new staff member. The link sets their password and confirms the address; nobody knows the present password. */
export const staffInvitation: MailKind<{
  link: string;
  hours: number;
  /** Whether a member had the address, and every way to sign in to it has ended. */
  endedSignIns?: boolean;
}> = {
  countedAs: 'own',
  mostPerHour: 5,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ link, hours, endedSignIns = false }) => ({
      subject: 'You have joined the staff',
      paragraphs: [
        endedSignIns
          ? 'The account with this e-mail address was put on the staff. Nobody had proven that the address is theirs, so its password, sessions and connections have ended. Set a password of your own to sign in.'
          : 'An account on the staff was made for this e-mail address. Set a password of your own to sign in.',
        `This link works once, within ${hours} hours. It also confirms that the address is yours.`,
      ],
      action: { label: 'Set a password', link },
      closing: ['If you did not expect this, you need not do anything: nobody knows a password for it.'],
    }),
    de: ({ link, hours, endedSignIns = false }) => ({
      subject: 'Du gehörst jetzt zum Team',
      paragraphs: [
        endedSignIns
          ? 'Der Zugang mit dieser E-Mail-Adresse gehört jetzt zum Team. Niemand hatte nachgewiesen, dass die Adresse die eigene ist. Deshalb gelten Passwort, Sitzungen und Verbindungen von vorher nicht mehr. Setze ein eigenes Passwort, um dich anzumelden.'
          : 'Für diese E-Mail-Adresse wurde ein Zugang im Team angelegt. Setze ein eigenes Passwort, um dich anzumelden.',
        `Dieser Link gilt einmal und ${hours} Stunden lang. Er bestätigt auch, dass die Adresse dir gehört.`,
      ],
      action: { label: 'Passwort setzen', link },
      closing: ['Wenn du das nicht erwartet hast, musst du nichts tun: Niemand kennt ein Passwort dafür.'],
    }),
  },
};

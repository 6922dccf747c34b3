import type { MailKind } from '../mail-kind.js';

/** Invites a new staff member. The link sets their password and confirms the address; nobody knows the first password. */
export const staffInvitation: MailKind<{ link: string; hours: number }> = {
  mostPerHour: 5,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ link, hours }) => ({
      subject: 'You have joined the staff',
      paragraphs: [
        'An account on the staff was made for this e-mail address. Set a password of your own to sign in.',
        `This link works once, within ${hours} hours. It also confirms that the address is yours.`,
      ],
      action: { label: 'Set a password', link },
      closing: ['If you did not expect this, you need not do anything: nobody knows a password for it.'],
    }),
    de: ({ link, hours }) => ({
      subject: 'Du gehörst jetzt zum Team',
      paragraphs: [
        'Für diese E-Mail-Adresse wurde ein Zugang im Team angelegt. Setze ein eigenes Passwort, um dich anzumelden.',
        `Dieser Link gilt einmal und ${hours} Stunden lang. Er bestätigt auch, dass die Adresse dir gehört.`,
      ],
      action: { label: 'Passwort setzen', link },
      closing: ['Wenn du das nicht erwartet hast, musst du nichts tun: Niemand kennt ein Passwort dafür.'],
    }),
  },
};

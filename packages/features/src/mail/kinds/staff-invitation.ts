import type { MailKind } from '../mail-kind.js';

/** Explains to a new staff member how to set a password, because nobody knows the first one. */
export const staffInvitation: MailKind<{ link: string }> = {
  mostPerHour: 5,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ link }) => ({
      subject: 'You have joined the staff',
      paragraphs: [
        'An account on the staff was made for this e-mail address. Set a password of your own to sign in.',
      ],
      action: { label: 'Set a password', link },
      closing: ['If you did not expect this, you need not do anything: nobody knows a password for it.'],
    }),
    de: ({ link }) => ({
      subject: 'Sie gehören jetzt zum Team',
      paragraphs: [
        'Für diese E-Mail-Adresse wurde ein Zugang im Team angelegt. Setzen Sie ein eigenes Passwort, um sich anzumelden.',
      ],
      action: { label: 'Passwort setzen', link },
      closing: [
        'Wenn Sie das nicht erwartet haben, müssen Sie nichts tun: Niemand kennt ein Passwort dafür.',
      ],
    }),
  },
};

import type { MailKind } from '../mail-kind.js';

/** The link for a member who forgot their password to set a new one. */
export const passwordReset: MailKind<{ link: string; minutes: number }> = {
  countedAs: 'signIn',
  lifeMs: 30 * 60_000,
  compose: {
    en: ({ link, minutes }) => ({
      subject: 'Set a new password',
      paragraphs: [
        'Someone, hopefully you, asked for a new password for the account with this e-mail address.',
        `This link works once, within ${minutes} minutes. Setting a new password signs you out everywhere.`,
      ],
      action: { label: 'Set a new password', link },
      closing: ['If it was not you, you need not do anything: your password stays as it is.'],
    }),
    de: ({ link, minutes }) => ({
      subject: 'Setze ein neues Passwort',
      paragraphs: [
        'Jemand, hoffentlich du selbst, hat für den Zugang mit dieser E-Mail-Adresse ein neues Passwort verlangt.',
        `Dieser Link gilt einmal und ${minutes} Minuten lang. Ein neues Passwort meldet dich überall ab.`,
      ],
      action: { label: 'Neues Passwort setzen', link },
      closing: ['Wenn du es nicht warst, musst du nichts tun: Dein Passwort bleibt, wie es ist.'],
    }),
  },
};

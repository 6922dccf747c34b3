import type { MailKind } from '../mail-kind.js';
import { englishCount, germanCount } from '../mail-kind.js';

/** The link for a member who forgot their password to set a new one. */
export const passwordReset: MailKind<{ link: string; minutes: number }> = {
  countedAs: 'signIn',
  lifeMs: 30 * 60_000,
  compose: {
    en: ({ link, minutes }) => ({
      subject: 'Set a new password',
      paragraphs: [
        'Someone, hopefully you, requested a new password for the account with this email address.',
        `This link works once and expires in ${englishCount(minutes, 'minute')}. Setting a new password signs you out on all devices.`,
      ],
      action: { label: 'Set a new password', link },
      closing: ["If this wasn't you, you don't need to do anything: your password stays the same."],
    }),
    de: ({ link, minutes }) => ({
      subject: 'Lege ein neues Passwort fest',
      paragraphs: [
        'Jemand, hoffentlich du selbst, hat für das Konto mit dieser E-Mail-Adresse ein neues Passwort angefordert.',
        `Dieser Link gilt einmal und ${germanCount(minutes, 'Minute')} lang. Mit einem neuen Passwort wirst du auf allen Geräten abgemeldet.`,
      ],
      action: { label: 'Neues Passwort festlegen', link },
      closing: ['Wenn du das nicht warst, musst du nichts tun: Dein Passwort bleibt unverändert.'],
    }),
  },
};

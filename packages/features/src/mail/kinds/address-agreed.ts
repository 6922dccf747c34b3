import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells the owner of the current address that a click agreed to another, and how to stop it within the hour. */
export const addressAgreed: MailKind<{ pendingEmail: string; effectiveAtMs: number; link: string }> = {
  countedAs: 'own',
  mostPerHour: 20,
  lifeMs: 3_600_000,
  compose: {
    en: ({ pendingEmail, effectiveAtMs, link }) => ({
      subject: 'Your email address is about to change',
      paragraphs: [
        `The link in our email was opened and used to approve ${pendingEmail} as your new email address. This may have been you, or a program that reads your email.`,
        `The change takes effect on ${englishTime(effectiveAtMs)}. Until then, you can reject it, or approve it immediately with your password.`,
      ],
      action: { label: 'Reject change', link },
      closing: ["If you didn't request this change, reject it and set a new password."],
    }),
    de: ({ pendingEmail, effectiveAtMs, link }) => ({
      subject: 'Deine E-Mail-Adresse wird bald geändert',
      paragraphs: [
        `Über den Link in unserer E-Mail wurde ${pendingEmail} als deine neue E-Mail-Adresse bestätigt. Das warst du oder ein Programm, das deine E-Mails liest.`,
        `Die Änderung wird am ${germanTime(effectiveAtMs)} wirksam. Bis dahin kannst du sie ablehnen oder mit deinem Passwort sofort bestätigen.`,
      ],
      action: { label: 'Änderung ablehnen', link },
      closing: [
        'Wenn du die Änderung nicht angefordert hast, lehne sie ab und lege ein neues Passwort fest.',
      ],
    }),
  },
};

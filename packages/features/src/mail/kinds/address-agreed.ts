import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** Tells the owner of the current address that a click agreed to another, and how to stop it within the hour. */
export const addressAgreed: MailKind<{ pendingEmail: string; effectiveAtMs: number; link: string }> = {
  countedAs: 'own',
  mostPerHour: 20,
  lifeMs: 3_600_000,
  compose: {
    en: ({ pendingEmail, effectiveAtMs, link }) => ({
      subject: 'Your e-mail address is about to change',
      paragraphs: [
        `Somebody, or a program that reads your mail, followed our link and agreed that ${pendingEmail} take the place of this address.`,
        `That counts from ${englishTime(effectiveAtMs)} on. Until then you can stop it here, or let it count at once with your password.`,
      ],
      action: { label: 'Stop the change', link },
      closing: ['If it was not you who asked for the change, stop it, and set a new password.'],
    }),
    de: ({ pendingEmail, effectiveAtMs, link }) => ({
      subject: 'Deine E-Mail-Adresse wird bald geändert',
      paragraphs: [
        `Jemand oder ein Programm, das deine Mails liest, ist unserem Link gefolgt und hat zugestimmt, dass ${pendingEmail} diese Adresse ersetzt.`,
        `Das gilt ab ${germanTime(effectiveAtMs)}. Bis dahin kannst du es hier anhalten oder mit deinem Passwort sofort gelten lassen.`,
      ],
      action: { label: 'Änderung anhalten', link },
      closing: ['Wenn nicht du die Änderung verlangt hast, halte sie an und setze ein neues Passwort.'],
    }),
  },
};

import type { MailKind } from '../mail-kind.js';

/** Asks the owner of an address to confirm it, after a registration or a change of address. */
export const activation: MailKind<{
  link: string;
  /** Present if an existing account changes to this address: how mails may name that account. */
  changes?: { account: string | undefined };
}> = {
  countedAs: 'contact',
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ link, changes }) =>
      changes === undefined
        ? {
            subject: 'Confirm your email address',
            paragraphs: [
              'Someone, hopefully you, signed up with this email address. Please confirm that it is yours.',
            ],
            action: { label: 'Confirm address', link },
            closing: ["If you didn't sign up, you don't need to do anything."],
          }
        : {
            subject: 'Confirm your new email address',
            paragraphs: [
              `${changes.account === undefined ? 'Someone' : `The account “${changes.account}”`} wants to use this email address from now on. Please confirm that it is yours.`,
              'Nothing changes until you do.',
            ],
            action: { label: 'Confirm address', link },
            closing: ["If you weren't expecting this, you don't need to do anything."],
          },
    de: ({ link, changes }) =>
      changes === undefined
        ? {
            subject: 'Bestätige deine E-Mail-Adresse',
            paragraphs: [
              'Jemand, hoffentlich du selbst, hat sich mit dieser E-Mail-Adresse registriert. Bitte bestätige, dass sie dir gehört.',
            ],
            action: { label: 'Adresse bestätigen', link },
            closing: ['Wenn du das nicht warst, musst du nichts tun.'],
          }
        : {
            subject: 'Bestätige deine neue E-Mail-Adresse',
            paragraphs: [
              `${changes.account === undefined ? 'Jemand' : `Das Konto „${changes.account}“`} möchte künftig diese E-Mail-Adresse verwenden. Bitte bestätige, dass sie dir gehört.`,
              'Bis dahin ändert sich nichts.',
            ],
            action: { label: 'Adresse bestätigen', link },
            closing: ['Wenn du das nicht erwartet hast, musst du nichts tun.'],
          },
  },
};

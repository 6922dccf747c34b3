import type { MailKind } from '../mail-kind.js';

/** Asks the owner of an address to confirm it, after a registration or a change of address. */
export const activation: MailKind<{
  link: string;
  /** Present where the address is to become that of an account that exists: how mails may call it. */
  changes?: { account: string | undefined };
}> = {
  countedAs: 'contact',
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ link, changes }) =>
      changes === undefined
        ? {
            subject: 'Confirm your e-mail address',
            paragraphs: [
              'Someone, hopefully you, registered with this e-mail address. Please confirm that it is yours.',
            ],
            action: { label: 'Confirm this address', link },
            closing: ['If it was not you, do not confirm; you need not do anything.'],
          }
        : {
            subject: 'Confirm your new e-mail address',
            paragraphs: [
              `${changes.account === undefined ? 'Somebody' : `The account “${changes.account}”`} asked to use this e-mail address from now on. Please confirm that it is yours.`,
              'Nothing changes until you do.',
            ],
            action: { label: 'Confirm this address', link },
            closing: ['If you know nothing of this, do not confirm; you need not do anything.'],
          },
    de: ({ link, changes }) =>
      changes === undefined
        ? {
            subject: 'Bestätige deine E-Mail-Adresse',
            paragraphs: [
              'Jemand, hoffentlich du selbst, hat sich mit dieser E-Mail-Adresse registriert. Bitte bestätige, dass sie dir gehört.',
            ],
            action: { label: 'Adresse bestätigen', link },
            closing: ['Wenn du es nicht warst, bestätige nicht; du musst nichts weiter tun.'],
          }
        : {
            subject: 'Bestätige deine neue E-Mail-Adresse',
            paragraphs: [
              `${changes.account === undefined ? 'Jemand' : `Das Konto „${changes.account}“`} möchte künftig diese E-Mail-Adresse verwenden. Bitte bestätige, dass sie dir gehört.`,
              'Bis dahin ändert sich nichts.',
            ],
            action: { label: 'Adresse bestätigen', link },
            closing: ['Wenn du davon nichts weißt, bestätige nicht; du musst nichts weiter tun.'],
          },
  },
};

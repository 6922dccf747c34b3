import type { MailKind } from '../mail-kind.js';

/** Asks the owner of an address to confirm it, after a registration or a change of address. */
export const activation: MailKind<{ link: string }> = {
  countedAs: 'contact',
  lifeMs: 24 * 3_600_000,
  compose: {
    en: ({ link }) => ({
      subject: 'Confirm your e-mail address',
      paragraphs: [
        'Someone, hopefully you, registered with this e-mail address. Please confirm that it is yours.',
      ],
      action: { label: 'Confirm this address', link },
      closing: ['If it was not you, do not confirm; you need not do anything.'],
    }),
    de: ({ link }) => ({
      subject: 'Bestätige deine E-Mail-Adresse',
      paragraphs: [
        'Jemand, hoffentlich du selbst, hat sich mit dieser E-Mail-Adresse registriert. Bitte bestätige, dass sie dir gehört.',
      ],
      action: { label: 'Adresse bestätigen', link },
      closing: ['Wenn du es nicht warst, bestätige nicht; du musst nichts weiter tun.'],
    }),
  },
};

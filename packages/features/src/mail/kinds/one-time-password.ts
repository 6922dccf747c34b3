import type { MailKind } from '../mail-kind.js';

/** An administrator's one-time password, in the body only, because lock screens show subjects. */
export const oneTimePassword: MailKind<{ password: string; minutes: number }> = {
  countedAs: 'signIn',
  lifeMs: 10 * 60_000,
  compose: {
    en: ({ password, minutes }) => ({
      subject: 'Your one-time password',
      paragraphs: [`Use this one-time password within ${minutes} minutes to sign in.`],
      code: password,
      closing: [
        'It works once, and a newer one replaces it. Nobody of ours will ever ask you for it.',
        'If you did not ask for it, you need not do anything.',
      ],
    }),
    de: ({ password, minutes }) => ({
      subject: 'Dein Einmalpasswort',
      paragraphs: [`Melde dich innerhalb von ${minutes} Minuten mit diesem Einmalpasswort an.`],
      code: password,
      closing: [
        'Es gilt einmal, und ein neueres ersetzt es. Niemand von uns wird dich je danach fragen.',
        'Wenn du es nicht verlangt hast, musst du nichts tun.',
      ],
    }),
  },
};

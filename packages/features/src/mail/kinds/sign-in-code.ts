import type { MailKind } from '../mail-kind.js';

/** A code and a link that sign in, in the browser that asked for them. Locked screens show subjects, so neither is in it. */
export const signInCode: MailKind<{ code: string; link: string; minutes: number }> = {
  countedAs: 'signIn',
  lifeMs: 10 * 60_000,
  compose: {
    en: ({ code, link, minutes }) => ({
      subject: 'Your sign-in code',
      paragraphs: [`Enter this code within ${minutes} minutes where you asked to sign in.`],
      code,
      action: { label: 'Sign in', link },
      closing: [
        'The code and the link work once, and only in the browser that asked. Nobody of ours will ever ask you for them.',
        'If you did not ask for them, you need not do anything.',
      ],
    }),
    de: ({ code, link, minutes }) => ({
      subject: 'Dein Anmeldecode',
      paragraphs: [`Gib diesen Code innerhalb von ${minutes} Minuten dort ein, wo du dich anmeldest.`],
      code,
      action: { label: 'Anmelden', link },
      closing: [
        'Code und Link gelten einmal und nur in dem Browser, der sie verlangt hat. Niemand von uns wird dich je danach fragen.',
        'Wenn du sie nicht verlangt hast, musst du nichts tun.',
      ],
    }),
  },
};

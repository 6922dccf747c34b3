import type { MailKind } from '../mail-kind.js';

/** A code that proves the mailbox, in the body only: locked screens show subjects. */
export const mailedCode: MailKind<{ code: string; minutes: number }> = {
  countedAs: 'codes',
  mostPerHour: 10,
  lifeMs: 10 * 60_000,
  compose: {
    en: ({ code, minutes }) => ({
      subject: 'Your code',
      paragraphs: [`Enter this code within ${minutes} minutes to show that it is you.`],
      code,
      closing: [
        'It works once, and only where it was asked for. Nobody of ours will ever ask you for it.',
        'If you did not ask for it, somebody may know your password: set a new one.',
      ],
    }),
    de: ({ code, minutes }) => ({
      subject: 'Dein Code',
      paragraphs: [`Gib innerhalb von ${minutes} Minuten diesen Code ein, um zu zeigen, dass du es bist.`],
      code,
      closing: [
        'Er gilt einmal und nur dort, wo er verlangt wurde. Niemand von uns wird dich je danach fragen.',
        'Wenn du ihn nicht verlangt hast, kennt vielleicht jemand dein Passwort: Setze ein neues.',
      ],
    }),
  },
};

import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** What was noticed about a sign-in. */
export type SignInSign = 'newDevice' | 'manyNetworks';

const EN: Readonly<Record<SignInSign, readonly [subject: string, sentence: string]>> = {
  newDevice: [
    'A new device signed in',
    'Somebody signed in as you with a device that we have not seen for a while.',
  ],
  manyNetworks: [
    'Sign-ins from many places',
    'Somebody signed in as you from more than five networks within ten minutes.',
  ],
};

const DE: Readonly<Record<SignInSign, readonly [subject: string, sentence: string]>> = {
  newDevice: [
    'Ein neues Gerät hat sich angemeldet',
    'Jemand hat sich in deinem Namen mit einem Gerät angemeldet, das wir länger nicht gesehen haben.',
  ],
  manyNetworks: [
    'Anmeldungen von vielen Orten',
    'Jemand hat sich in deinem Namen innerhalb von zehn Minuten aus mehr als fünf Netzen angemeldet.',
  ],
};

/** Tells a member of a sign-in that may not be theirs. */
export const signInNotice: MailKind<{
  sign: SignInSign;
  atMs: number;
  /** The browser and system of the call, if they are known. */
  device: string | undefined;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 10,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ sign, atMs, device, link }) => ({
      subject: EN[sign][0],
      paragraphs: [
        EN[sign][1],
        `This was on ${englishTime(atMs)}${device === undefined ? '' : `, with: ${device}`}.`,
      ],
      closing: [
        'If it was you, you need not do anything.',
        `If it was not, set a new password at once: ${link}`,
      ],
    }),
    de: ({ sign, atMs, device, link }) => ({
      subject: DE[sign][0],
      paragraphs: [
        DE[sign][1],
        `Das war am ${germanTime(atMs)}${device === undefined ? '' : `, mit: ${device}`}.`,
      ],
      closing: [
        'Wenn du es warst, musst du nichts tun.',
        `Wenn du es nicht warst, setze sofort ein neues Passwort: ${link}`,
      ],
    }),
  },
};

import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, NEW_PASSWORD } from '../mail-kind.js';

/** What was noticed about a sign-in. */
export type SignInSign = 'newDevice' | 'manyNetworks';

const EN: Readonly<Record<SignInSign, readonly [subject: string, sentence: string]>> = {
  newDevice: [
    'A new device signed in',
    "Your account was used to sign in on a device that we haven't seen for a while.",
  ],
  manyNetworks: [
    'Sign-ins from many networks',
    'Your account was used to sign in from more than five networks within ten minutes.',
  ],
};

const DE: Readonly<Record<SignInSign, readonly [subject: string, sentence: string]>> = {
  newDevice: [
    'Ein neues Gerät hat sich angemeldet',
    'Bei deinem Konto gab es eine Anmeldung mit einem Gerät, das wir länger nicht gesehen haben.',
  ],
  manyNetworks: [
    'Anmeldungen aus vielen Netzen',
    'Bei deinem Konto gab es innerhalb von zehn Minuten Anmeldungen aus mehr als fünf Netzen.',
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
        `Time: ${englishTime(atMs)}${device === undefined ? '' : `, device: ${device}`}.`,
        "If this wasn't you, set a new password now.",
      ],
      action: NEW_PASSWORD.en(link),
      closing: ["If this was you, you don't need to do anything."],
    }),
    de: ({ sign, atMs, device, link }) => ({
      subject: DE[sign][0],
      paragraphs: [
        DE[sign][1],
        `Zeitpunkt: ${germanTime(atMs)}${device === undefined ? '' : `, Gerät: ${device}`}.`,
        'Wenn du das nicht warst, lege sofort ein neues Passwort fest.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: ['Wenn du das warst, musst du nichts tun.'],
    }),
  },
};

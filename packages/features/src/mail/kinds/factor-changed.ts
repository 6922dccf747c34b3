import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime, NEW_PASSWORD } from '../mail-kind.js';

/** What changed about a member's second step. */
export type FactorChange =
  | 'totpAdded'
  | 'totpRemoved'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeySuspect'
  | 'switchedOn'
  | 'switchedOff'
  | 'backupCodesMade'
  | 'backupCodeUsed'
  | 'locked';

const EN: Readonly<Record<FactorChange, readonly [subject: string, sentence: string]>> = {
  totpAdded: [
    'An authenticator app was added',
    'You can now confirm your sign-ins with an authenticator app.',
  ],
  totpRemoved: ['An authenticator app was removed', 'Your authenticator app was removed.'],
  passkeyAdded: ['A passkey was added', 'You can now sign in with a new passkey.'],
  passkeyRemoved: ['A passkey was removed', 'One of your passkeys was removed.'],
  passkeySuspect: [
    'A passkey was locked',
    'One of your passkeys seems to have been copied, so it no longer works. Remove it and add a new one.',
  ],
  switchedOn: ['Two-step sign-in is on', 'Every sign-in now requires a second step.'],
  switchedOff: ['Two-step sign-in is off', 'Your sign-ins no longer require a second step.'],
  backupCodesMade: [
    'You have new backup codes',
    'New backup codes were created. The old ones no longer work.',
  ],
  backupCodeUsed: [
    'A backup code was used',
    'One of your backup codes was used as the second step of a sign-in.',
  ],
  locked: [
    'A second factor was locked',
    'A wrong code was entered a hundred times in a row, so this second factor is locked. To unlock it, sign in with another second factor or contact support.',
  ],
};

const DE: Readonly<Record<FactorChange, readonly [subject: string, sentence: string]>> = {
  totpAdded: [
    'Eine Authenticator-App wurde hinzugefügt',
    'Du kannst deine Anmeldungen jetzt mit einer Authenticator-App bestätigen.',
  ],
  totpRemoved: ['Eine Authenticator-App wurde entfernt', 'Deine Authenticator-App wurde entfernt.'],
  passkeyAdded: ['Ein Passkey wurde hinzugefügt', 'Du kannst dich jetzt mit einem neuen Passkey anmelden.'],
  passkeyRemoved: ['Ein Passkey wurde entfernt', 'Einer deiner Passkeys wurde entfernt.'],
  passkeySuspect: [
    'Ein Passkey wurde gesperrt',
    'Einer deiner Passkeys wurde anscheinend kopiert und gilt deshalb nicht mehr. Entferne ihn und füge einen neuen hinzu.',
  ],
  switchedOn: [
    'Anmeldung in zwei Schritten ist an',
    'Jede Anmeldung erfordert ab jetzt einen zweiten Schritt.',
  ],
  switchedOff: [
    'Anmeldung in zwei Schritten ist aus',
    'Deine Anmeldungen erfordern keinen zweiten Schritt mehr.',
  ],
  backupCodesMade: [
    'Du hast neue Backup-Codes',
    'Neue Backup-Codes wurden erstellt. Die alten gelten nicht mehr.',
  ],
  backupCodeUsed: [
    'Ein Backup-Code wurde verwendet',
    'Einer deiner Backup-Codes wurde als zweiter Schritt einer Anmeldung verwendet.',
  ],
  locked: [
    'Ein zweiter Faktor wurde gesperrt',
    'Hundertmal nacheinander wurde ein falscher Code eingegeben, deshalb ist dieser zweite Faktor gesperrt. Um ihn zu entsperren, melde dich mit einem anderen zweiten Faktor an oder wende dich an den Support.',
  ],
};

/** Tells a member that something about their second step changed, so that they can react if it was not them. */
export const factorChanged: MailKind<{
  change: FactorChange;
  atMs: number;
  /** The browser and system of the call, if they are known. */
  device: string | undefined;
  link: string;
  /** How many backup codes are left. */
  left?: number;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ change, atMs, device, link, left }) => ({
      subject: EN[change][0],
      paragraphs: [
        EN[change][1],
        `Time: ${englishTime(atMs)}${device === undefined ? '' : `, device: ${device}`}.`,
        ...(left === undefined ? [] : [`Backup codes left: ${left}.`]),
        "If this wasn't you, set a new password now.",
      ],
      action: NEW_PASSWORD.en(link),
      closing: [],
    }),
    de: ({ change, atMs, device, link, left }) => ({
      subject: DE[change][0],
      paragraphs: [
        DE[change][1],
        `Zeitpunkt: ${germanTime(atMs)}${device === undefined ? '' : `, Gerät: ${device}`}.`,
        ...(left === undefined ? [] : [`Übrige Backup-Codes: ${left}.`]),
        'Wenn du das nicht warst, lege sofort ein neues Passwort fest.',
      ],
      action: NEW_PASSWORD.de(link),
      closing: [],
    }),
  },
};

import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

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
  totpAdded: ['An authenticator app was added', 'An authenticator app now confirms your sign-ins.'],
  totpRemoved: ['An authenticator app was removed', 'Your authenticator app was removed.'],
  passkeyAdded: ['A passkey was added', 'A new passkey now signs in to your account.'],
  passkeyRemoved: ['A passkey was removed', 'One of your passkeys was removed.'],
  passkeySuspect: [
    'A passkey is locked',
    'One of your passkeys seems to have been copied, so it no longer signs in. Remove it and add a new one.',
  ],
  switchedOn: ['Sign-in in two steps is on', 'Every sign-in now takes a second step.'],
  switchedOff: ['Sign-in in two steps is off', 'Your sign-ins take one step from now on.'],
  backupCodesMade: ['You have new backup codes', 'New backup codes were made, and the old ones ended.'],
  backupCodeUsed: [
    'A backup code was used',
    'One of your backup codes was used in place of the second step.',
  ],
  locked: [
    'A second step is locked',
    'Wrong codes were entered a hundred times in a row, so this second step is locked. Another second step, or our support, frees it.',
  ],
};

const DE: Readonly<Record<FactorChange, readonly [subject: string, sentence: string]>> = {
  totpAdded: [
    'Eine Authenticator-App kam dazu',
    'Eine Authenticator-App bestätigt ab jetzt deine Anmeldungen.',
  ],
  totpRemoved: ['Eine Authenticator-App wurde entfernt', 'Deine Authenticator-App wurde entfernt.'],
  passkeyAdded: ['Ein Passkey kam dazu', 'Ein neuer Passkey meldet ab jetzt in deinem Konto an.'],
  passkeyRemoved: ['Ein Passkey wurde entfernt', 'Einer deiner Passkeys wurde entfernt.'],
  passkeySuspect: [
    'Ein Passkey ist gesperrt',
    'Einer deiner Passkeys wurde anscheinend kopiert. Darum meldet er nicht mehr an. Entferne ihn, und lege einen neuen an.',
  ],
  switchedOn: [
    'Anmeldung in zwei Schritten ist an',
    'Jede Anmeldung braucht ab jetzt einen zweiten Schritt.',
  ],
  switchedOff: ['Anmeldung in zwei Schritten ist aus', 'Deine Anmeldungen brauchen nur noch einen Schritt.'],
  backupCodesMade: [
    'Du hast neue Ersatzcodes',
    'Neue Ersatzcodes wurden erstellt; die alten gelten nicht mehr.',
  ],
  backupCodeUsed: [
    'Ein Ersatzcode wurde benutzt',
    'Einer deiner Ersatzcodes wurde als zweiter Schritt benutzt.',
  ],
  locked: [
    'Ein zweiter Schritt ist gesperrt',
    'Hundertmal nacheinander wurde ein falscher Code eingegeben. Darum ist dieser zweite Schritt gesperrt. Ein anderer zweiter Schritt oder unser Support gibt ihn wieder frei.',
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
        `This was on ${englishTime(atMs)}${device === undefined ? '' : `, with: ${device}`}.`,
        ...(left === undefined ? [] : [`Backup codes left: ${left}.`]),
      ],
      closing: [`If it was not you, set a new password at once: ${link}`],
    }),
    de: ({ change, atMs, device, link, left }) => ({
      subject: DE[change][0],
      paragraphs: [
        DE[change][1],
        `Das war am ${germanTime(atMs)}${device === undefined ? '' : `, mit: ${device}`}.`,
        ...(left === undefined ? [] : [`Übrige Ersatzcodes: ${left}.`]),
      ],
      closing: [`Wenn du es nicht warst, setze sofort ein neues Passwort: ${link}`],
    }),
  },
};

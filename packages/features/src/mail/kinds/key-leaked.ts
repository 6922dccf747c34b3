import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';
import { englishKey, englishPlace, germanKey, germanPlace, type KeyNames } from './key-expiring.js';

/** Tells those who manage API keys that somebody found one and it was revoked. */
export const keyLeaked: MailKind<KeyNames & { atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, ...names }) => ({
      subject: `${englishKey(names)} was revoked`,
      paragraphs: [
        `${englishKey(names)}${englishPlace(names)} was reported as leaked on ${englishTime(atMs)}: it was found in a public place.`,
        'It was revoked, and programs that use it have no access. Find out where it was, check the activity of the organization, and create a new key.',
        "Invitations that were created with it stay open. Revoke those you don't recognize.",
      ],
      action: { label: 'View API keys', link },
      closing: [],
    }),
    de: ({ atMs, link, ...names }) => ({
      subject: `${germanKey(names)} wurde widerrufen`,
      paragraphs: [
        `${germanKey(names)}${germanPlace(names)} wurde am ${germanTime(atMs)} als öffentlich sichtbar gemeldet.`,
        'Er wurde widerrufen, und Programme, die ihn verwenden, haben keinen Zugriff mehr. Finde heraus, wo er zu sehen war, prüfe die Aktivitäten der Organisation und erstelle einen neuen Schlüssel.',
        'Einladungen, die mit ihm erstellt wurden, bleiben offen. Ziehe die zurück, die du nicht kennst.',
      ],
      action: { label: 'API-Schlüssel ansehen', link },
      closing: [],
    }),
  },
};

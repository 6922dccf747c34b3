import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

/** The names in mails about API keys. Each is omitted if it looks like a link. */
export interface KeyNames {
  readonly keyName: string | undefined;
  readonly machineName: string | undefined;
  /** Also omitted for a key of the staff. */
  readonly accountName: string | undefined;
}

/** Tells those who manage API keys that one ends soon. */
export const keyExpiring: MailKind<KeyNames & { atMs: number; link: string }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, link, ...names }) => ({
      subject: `${englishKey(names)} expires soon`,
      paragraphs: [
        `${englishKey(names)}${englishPlace(names)} expires on ${englishTime(atMs)}.`,
        'Programs that use it have no access after that. Rotate the key before then.',
      ],
      action: { label: 'View API keys', link },
      closing: [],
    }),
    de: ({ atMs, link, ...names }) => ({
      subject: `${germanKey(names)} läuft bald ab`,
      paragraphs: [
        `${germanKey(names)}${germanPlace(names)} läuft am ${germanTime(atMs)} ab.`,
        'Programme, die ihn verwenden, haben danach keinen Zugriff mehr. Ersetze den Schlüssel vorher.',
      ],
      action: { label: 'API-Schlüssel ansehen', link },
      closing: [],
    }),
  },
};

export function englishKey({ keyName, machineName }: KeyNames): string {
  const key = keyName === undefined ? 'An API key' : `The API key “${keyName}”`;
  return machineName === undefined ? key : `${key} of “${machineName}”`;
}

export function englishPlace({ accountName }: KeyNames): string {
  return accountName === undefined ? '' : ` in the organization “${accountName}”`;
}

export function germanKey({ keyName, machineName }: KeyNames): string {
  const key = keyName === undefined ? 'Ein API-Schlüssel' : `Der API-Schlüssel „${keyName}“`;
  return machineName === undefined ? key : `${key} von „${machineName}“`;
}

export function germanPlace({ accountName }: KeyNames): string {
  return accountName === undefined ? '' : ` in der Organisation „${accountName}“`;
}

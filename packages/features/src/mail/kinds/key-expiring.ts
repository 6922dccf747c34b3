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
export const keyExpiring: MailKind<KeyNames & { atMs: number }> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ atMs, ...names }) => ({
      subject: `${englishKey(names)} expires soon`,
      paragraphs: [
        `${englishKey(names)}${englishPlace(names)} expires on ${englishTime(atMs)}.`,
        'Programs that use it have no access after that. Rotate the key before then.',
      ],
      closing: [],
    }),
    de: ({ atMs, ...names }) => ({
      subject: `${germanKey(names)} läuft bald ab`,
      paragraphs: [
        `${germanKey(names)}${germanPlace(names)} läuft am ${germanTime(atMs)} ab.`,
        'Programme, die ihn verwenden, haben danach keinen Zugriff mehr. Ersetze den Schlüssel vorher.',
      ],
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

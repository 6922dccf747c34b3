import type { MailKind } from '../mail-kind.js';
import { englishTime, germanTime } from '../mail-kind.js';

const EN = {
  gone: 'It answered that it no longer exists (410).',
  failing: 'It did not accept any event for three days.',
  backlog: 'More than 100,000 events are waiting for it.',
};

const DE = {
  gone: 'Er hat geantwortet, dass es ihn nicht mehr gibt (410).',
  failing: 'Er hat drei Tage lang kein Ereignis angenommen.',
  backlog: 'Mehr als 100.000 Ereignisse warten auf ihn.',
};

/** Tells those who manage an endpoint that it fails, or that it was disabled. */
export const endpointFailing: MailKind<{
  host: string;
  /** Why it was disabled; null while it only fails. */
  fault: keyof typeof EN | null;
  /** Since when it fails. */
  sinceMs: number;
  link: string;
}> = {
  countedAs: 'notice',
  mostPerHour: 20,
  lifeMs: 72 * 3_600_000,
  compose: {
    en: ({ host, fault, sinceMs, link }) =>
      fault === null
        ? {
            subject: 'An endpoint for events is failing',
            paragraphs: [
              `The endpoint at ${host} has not accepted any event since ${englishTime(sinceMs)}.`,
              'We keep trying. If it still fails after three days, we disable it.',
              'Check the endpoint, then test it.',
            ],
            action: { label: 'Open endpoint', link },
            closing: [],
          }
        : {
            subject: 'An endpoint for events was disabled',
            paragraphs: [
              `We no longer send events to the endpoint at ${host}. ${EN[fault]}`,
              'The events are kept for 30 days. When you resume the endpoint, you choose whether it gets the ones it missed.',
              'Check the endpoint, then resume it.',
            ],
            action: { label: 'Open endpoint', link },
            closing: [],
          },
    de: ({ host, fault, sinceMs, link }) =>
      fault === null
        ? {
            subject: 'Ein Endpunkt für Ereignisse antwortet nicht richtig',
            paragraphs: [
              `Der Endpunkt bei ${host} hat seit ${germanTime(sinceMs)} kein Ereignis angenommen.`,
              'Wir versuchen es weiter. Wenn er nach drei Tagen immer noch kein Ereignis annimmt, deaktivieren wir ihn.',
              'Prüfe den Endpunkt und teste ihn dann.',
            ],
            action: { label: 'Endpunkt öffnen', link },
            closing: [],
          }
        : {
            subject: 'Ein Endpunkt für Ereignisse wurde deaktiviert',
            paragraphs: [
              `Wir senden keine Ereignisse mehr an den Endpunkt bei ${host}. ${DE[fault]}`,
              'Die Ereignisse bleiben 30 Tage erhalten. Wenn du den Endpunkt wieder aktivierst, wählst du, ob er die verpassten bekommt.',
              'Prüfe den Endpunkt und aktiviere ihn dann wieder.',
            ],
            action: { label: 'Endpunkt öffnen', link },
            closing: [],
          },
  },
};

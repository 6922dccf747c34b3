import { catalogue } from '../messages/translate.js';

const KEY = 'gatehouse.utc';

let isUtc = storedChoice();

/** Whether times are shown in UTC in place of the zone of the browser. */
export const showsUtc = (): boolean => isUtc;

/** Shows times in UTC from now on or no longer, and remembers it for the next visit. */
export function showUtc(wanted: boolean): void {
  isUtc = wanted;
  formats.clear();
  try {
    if (wanted) localStorage.setItem(KEY, '');
    else localStorage.removeItem(KEY);
  } catch {
    // Without storage it lasts as long as the document.
  }
  // Text that is written again in another language is written again.
  catalogue.activate(catalogue.locale);
}

function storedChoice(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

/** An instant as a day, in the language that is shown. */
export function shownDay(at: string | number): string {
  return formatOf('day').format(new Date(at));
}

/** An instant as a time of day, and the day if it is not today. */
export function shownTime(at: string | number): string {
  const isToday = shownDay(at) === shownDay(Date.now());
  const shown = formatOf(isToday ? 'time' : 'day and time').format(new Date(at));
  return isUtc ? `${shown} UTC` : shown;
}

const SECOND_MS = 1_000;

/** Each unit, and how many of them the next one has. */
const UNITS = [
  ['second', 60],
  ['minute', 60],
  ['hour', 24],
  ['day', 30],
  ['month', 12],
  ['year', Number.POSITIVE_INFINITY],
] as const;

/** An instant by its distance from now, such as "5 minutes ago" or "in 2 days". */
export function shownAgo(at: string | number): string {
  let left = (new Date(at).getTime() - Date.now()) / SECOND_MS;
  const format = new Intl.RelativeTimeFormat(regionalLocale(), { numeric: 'auto' });
  for (const [unit, many] of UNITS) {
    // Rounded, 59.6 seconds would be a minute of 60 seconds.
    if (Math.abs(Math.round(left)) < many) return format.format(Math.round(left), unit);
    left /= many;
  }
  return shownDay(at);
}

const OPTIONS = {
  day: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  full: { dateStyle: 'full', timeStyle: 'long' },
  'day and time': { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** An instant in full, in the zone of the browser and in UTC: what is shown on hover. */
export function fullTime(at: string | number): string {
  const date = new Date(at);
  return `${formatOf('full').format(date)} · ${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** Creating a format takes longer than formatting hundreds of dates. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** The reader's own form of the language that is shown: `en-GB` writes days as the British do, `de-AT` prices as Austrians do. */
export const regionalLocale = (): string =>
  navigator.languages.find(
    (tag) => tag.split('-')[0]?.toLowerCase() === catalogue.locale && isWellFormed(tag),
  ) ?? catalogue.locale;

/** Whether `Intl` takes a language tag: some systems have tags such as `en-US@posix`, at which it throws. */
function isWellFormed(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

function formatOf(kind: keyof typeof OPTIONS): Intl.DateTimeFormat {
  const locale = regionalLocale();
  const key = `${locale} ${kind}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const zone = isUtc && kind !== 'full' ? { timeZone: 'UTC' } : {};
  const format = new Intl.DateTimeFormat(locale, { ...OPTIONS[kind], ...zone });
  formats.set(key, format);
  return format;
}

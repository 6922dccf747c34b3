import { catalogue } from '../messages/translate.js';

/** An instant as a day, in the language that is shown. */
export function shownDay(at: string | number): string {
  return formatOf(catalogue.locale, 'day').format(new Date(at));
}

/** An instant as a time of the day, and the day where it is another. */
export function shownTime(at: string | number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return formatOf(catalogue.locale, isToday ? 'time' : 'day and time').format(new Date(at));
}

const OPTIONS = {
  day: { dateStyle: 'medium' },
  time: { timeStyle: 'short' },
  'day and time': { dateStyle: 'medium', timeStyle: 'short' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A format takes longer to make than hundreds of dates to write. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(locale: string, kind: keyof typeof OPTIONS): Intl.DateTimeFormat {
  const key = `${locale} ${kind}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat(locale, OPTIONS[kind]);
  formats.set(key, format);
  return format;
}

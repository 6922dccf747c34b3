import { catalogue } from '@gatehouse/ui/messages/say';

/** An instant as a day, in the language that is shown. */
export function shownDay(at: string | number): string {
  return format(at, { dateStyle: 'medium' });
}

/** An instant as a time of the day, and the day where it is another. */
export function shownTime(at: string | number): string {
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return format(at, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' });
}

function format(at: string | number, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat(catalogue.locale, options).format(new Date(at));
}

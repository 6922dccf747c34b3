import type { Locale } from '@gatehouse/db/tables/member-tables';
import { LOCALES } from './member-view.js';

/** Longer headers are cut: no browser sends one. */
const MAX_LENGTH = 200;

/**
 * The first of our languages that a person's browser asks for (RFC 9110, section 12.5.4); the default if it asks for none.
 * @param header `de-AT,de;q=0.9,en;q=0.8`
 */
export function acceptedLocale(header = ''): Locale {
  const wanted = header
    .slice(0, MAX_LENGTH)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
      return { language: tag.split('-')[0], weight: Number(weight) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((left, right) => right.weight - left.weight);
  for (const { language } of wanted) {
    const known = LOCALES.find((locale) => locale === language);
    if (known !== undefined) return known;
  }
  return LOCALES[0];
}

/** The cookie with the language that a person chose on our screens, which keep it there for the pages of the service. */
const CHOICE = /(?:^|;\s*)gatehouse-language=(\w+)/;

/**
 * The language of a page: the one that its visitor chose on our screens, else the one that their browser asks for.
 */
export function visitorLocale(call: { header(name: string): string | undefined }): Locale {
  const [, chosen] = CHOICE.exec(call.header('cookie') ?? '') ?? [];
  return LOCALES.find((locale) => locale === chosen) ?? acceptedLocale(call.header('accept-language'));
}

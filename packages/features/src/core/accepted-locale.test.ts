import { expect, it } from 'vitest';
import { acceptedLocale, visitorLocale } from './accepted-locale.js';

it.each([
  ['de', 'de'],
  ['de-AT,de;q=0.9,en;q=0.8', 'de'],
  ['en;q=0.5, de;q=0.9', 'de'],
  ['fr-CH, fr;q=0.9, de;q=0.7, en;q=0.8', 'en'],
  ['DE-de', 'de'],
  ['de;q=0, en;q=0.1', 'en'],
  ['fr', 'en'],
  ['*', 'en'],
  ['', 'en'],
  ['de;q=nonsense', 'en'],
  [undefined, 'en'],
  [`${'x'.repeat(10_000)},de`, 'en'],
])('the header %j selects the language %s', (header, locale) => {
  expect(acceptedLocale(header)).toBe(locale);
});

it.each([
  ['gatehouse-language=de', 'de'],
  ['a=b; gatehouse-language=de; c=d', 'de'],
  ['gatehouse-language=fr', 'en'],
  ['x-gatehouse-language=de', 'en'],
  [undefined, 'en'],
])('a browser that asks for English and has the cookie %j gets pages in %s', (cookie, locale) => {
  const headers: Record<string, string | undefined> = { cookie, 'accept-language': 'en' };
  expect(visitorLocale({ header: (name) => headers[name] })).toBe(locale);
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { catalogue } from '../messages/translate.js';
import { fullTime, regionalLocale, shownAgo, shownDay } from './shown-time.js';

const AT = Date.UTC(2026, 10, 3, 12);

const shownTo = (...languages: string[]) => {
  vi.stubGlobal('navigator', { languages });
  return shownDay(AT);
};

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a day on a screen', () => {
  it("is written in the form of the reader's language", () => {
    catalogue.loadAndActivate({ locale: 'en', messages: {} });
    expect(shownTo('de-AT', 'en-GB')).toBe('3 Nov 2026');
    expect(shownTo('en-US', 'en-GB')).toBe('Nov 3, 2026');
    expect(shownTo('de')).toBe('Nov 3, 2026');
  });

  it.each(['en-US@posix', 'en-', 'en-u', 'en-x', 'en-US-u-ca-'])(
    'is shown to a reader whose language tag is %s',
    (tag) => {
      catalogue.loadAndActivate({ locale: 'en', messages: {} });
      expect(shownTo(tag)).toBe('Nov 3, 2026');
      expect(shownTo(tag, 'en-GB')).toBe('3 Nov 2026');
      expect(fullTime(AT)).toContain('2026-11-03 12:00:00 UTC');
    },
  );
});

describe('the locale of numbers, prices and days', () => {
  it.each([
    ['en', ['de-AT', 'en-GB'], 'en-GB'],
    ['de', ['en-GB', 'de-AT', 'de'], 'de-AT'],
    ['de', ['en-GB'], 'de'],
  ])("is the reader's own region of the language %s", (locale, languages, expected) => {
    vi.stubGlobal('navigator', { languages });
    catalogue.loadAndActivate({ locale, messages: {} });
    expect(regionalLocale()).toBe(expected);
  });
});

describe('the distance of an instant from now', () => {
  it.each([
    [0, 'now'],
    [-29, '29 seconds ago'],
    [-59.6, '1 minute ago'],
    [-3_599, '1 hour ago'],
    [90 * 60, 'in 2 hours'],
    [-86_400, 'yesterday'],
    [-29 * 86_400, '29 days ago'],
    [-400 * 86_400, 'last year'],
  ])('is in the largest unit that fits: %i seconds', (seconds, words) => {
    vi.useFakeTimers({ now: AT });
    vi.stubGlobal('navigator', { languages: ['en-US'] });
    catalogue.loadAndActivate({ locale: 'en', messages: {} });
    expect(shownAgo(AT + seconds * 1000)).toBe(words);
  });
});

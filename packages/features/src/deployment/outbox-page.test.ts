import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { LIVE_SCRIPT } from './outbox-page.js';

type Answer = () => Promise<{ ok: boolean; json: () => Promise<unknown> }>;

const newestIs =
  (id: unknown): Answer =>
  () =>
    Promise.resolve({ ok: true, json: () => Promise.resolve({ status: true, data: { id } }) });

/** A page with mail 7 as the newest one, whose timer runs by hand. */
function openPage({ href = 'http://localhost/dev/outbox', open = '7', newest = '7' } = {}) {
  const timers: (() => unknown)[] = [];
  const asked: string[] = [];
  const shown: string[] = [];
  const page = { answer: newestIs(7), isTyping: false };
  runInNewContext(LIVE_SCRIPT, {
    URL,
    AbortSignal,
    document: {
      hidden: false,
      querySelector: () => ({ dataset: { newest, open } }),
      get activeElement() {
        return { matches: () => page.isTyping };
      },
    },
    location: {
      href,
      reload: () => void shown.push('again'),
      replace: (to: string) => void shown.push(to),
    },
    fetch: (path: string) => {
      asked.push(path);
      return page.answer();
    },
    setTimeout: (run: () => unknown) => void timers.push(run),
  });
  return { page, asked, shown, timers, turn: async () => timers.shift()?.() };
}

describe('the script of the outbox', () => {
  it('requests only the newest id, and shows a new mail without closing the open one', async () => {
    const { page, asked, shown, timers, turn } = openPage();
    await turn();
    expect([asked, shown, timers.length]).toEqual([['/dev/outbox/newest'], [], 1]);
    page.answer = newestIs(8);
    await turn();
    expect([shown, timers.length]).toEqual([['http://localhost/dev/outbox?mail=7'], 0]);

    const reading = openPage({ href: 'http://localhost/dev/outbox?q=a&mail=7' });
    reading.page.answer = newestIs(8);
    await reading.turn();
    expect(reading.shown).toEqual(['again']);

    const empty = openPage({ open: '', newest: '' });
    empty.page.answer = newestIs(null);
    await empty.turn();
    expect(empty.shown).toEqual([]);
    empty.page.answer = newestIs(1);
    await empty.turn();
    expect(empty.shown).toEqual(['again']);
  });

  it('sends no request while an answer is missing', async () => {
    const { page, asked, timers, turn } = openPage();
    let answer: (() => void) | undefined;
    page.answer = async () => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return newestIs(7)();
    };
    const first = turn();
    expect([asked.length, timers.length]).toEqual([1, 0]);
    answer?.();
    await first;
    expect([asked.length, timers.length]).toEqual([1, 1]);
  });

  it.each<[string, Answer]>([
    ['no answer', () => Promise.reject(new TypeError('Failed to fetch'))],
    ['no JSON', () => Promise.resolve({ ok: true, json: () => Promise.reject(new SyntaxError('<')) })],
    ['other JSON', () => Promise.resolve({ ok: true, json: () => Promise.resolve(null) })],
    ['a refusal', () => Promise.resolve({ ok: false, json: () => Promise.resolve({ error: {} }) })],
  ])('continues after %s', async (_what, answer) => {
    const { page, shown, timers, turn } = openPage();
    page.answer = answer;
    await turn();
    expect([shown, timers.length]).toEqual([[], 1]);
  });

  it('waits while a person types, even if they began during the request', async () => {
    const { page, asked, shown, turn } = openPage();
    page.isTyping = true;
    page.answer = newestIs(8);
    await turn();
    expect([asked, shown]).toEqual([[], []]);
    page.isTyping = false;
    page.answer = () => {
      page.isTyping = true;
      return newestIs(8)();
    };
    await turn();
    expect([asked.length, shown]).toEqual([1, []]);
  });
});

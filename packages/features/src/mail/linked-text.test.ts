import { describe, expect, it } from 'vitest';
import { linkedText } from './render-mail.js';

const marked = (text: string) => linkedText(text, (link) => `[${link}]`);

const LINK = 'https://app.test/confirm?token=aB-_9&amp;mail=a%40b.test';
const TYPED = LINK.replace('&amp;', '&');

describe('a text with links', () => {
  it.each(['.', ',', ';', ':', '!', '?', ')', ']', '}', '…', '“', '”', '’', '»', ').', '”).', '...'])(
    'leaves %s after a link out of the link',
    (sign) => {
      expect(marked(`Open ${TYPED}${sign}`)).toBe(`Open [${LINK}]${sign}`);
      expect(marked(`(${TYPED}${sign} Or else`)).toBe(`([${LINK}]${sign} Or else`);
    },
  );

  it('keeps what belongs to a link, and escapes everything else', () => {
    expect(marked(TYPED)).toBe(`[${LINK}]`);
    expect(marked('https://a.test/')).toBe('[https://a.test/]');
    expect(marked('http://127.0.0.1:4000/a.b/c,d and https://b.test')).toBe(
      '[http://127.0.0.1:4000/a.b/c,d] and [https://b.test]',
    );
    expect(marked('<b>"https://a.test/x"</b> & more')).toBe(
      '&lt;b&gt;&quot;[https://a.test/x]&quot;&lt;/b&gt; &amp; more',
    );
    expect(marked('No link: https:// here')).toBe('No link: https:// here');
  });
});

import { expect, it } from 'vitest';
import { parseUrl } from './parse-url.js';

it('a URL with letters of any script is parsed the same way every time', () => {
  const hosts = ['https://bücher.example/', 'https://почта.example/', 'https://app.example/é?ü=ñ'];
  const read = Array.from({ length: 20_000 }, () => hosts.map((each) => parseUrl(each)?.host));
  expect(new Set(read.map((each) => each.join(' ')))).toEqual(
    new Set(['xn--bcher-kva.example xn--80a1acny.example app.example']),
  );
});

it('text that is not a URL is not parsed', () => {
  for (const text of ['', 'app.example', 'https://', 'http://a b/', 'https://x:99999'])
    expect(parseUrl(text)).toBeUndefined();
});

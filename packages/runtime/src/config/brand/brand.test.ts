import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import {
  accentProblems,
  brandCss,
  brandFile,
  contrast,
  GROUNDS,
  type LinearRgb,
  parseColour,
} from './brand.js';

const colour = (text: string): LinearRgb => parseColour(text) ?? [0, 0, 0];
const between = (one: string, other: string) => Number(contrast(colour(one), colour(other)).toFixed(2));

describe('brand colors', () => {
  it('have the contrast that WCAG defines', () => {
    expect(between('#000000', '#ffffff')).toBe(21);
    expect(between('#767676', '#ffffff')).toBe(4.54);
    expect(between('#777777', '#FFFFFF')).toBe(4.48);
    expect(between('#0000ff', '#ffffff')).toBe(8.59);
  });

  it('are the same in sRGB and in OKLCH', () => {
    // The primary colors, as CSS Color 4 gives them.
    for (const [hex, oklch] of [
      ['#ff0000', 'oklch(0.62796 0.25768 29.2339)'],
      ['#00ff00', 'oklch(0.86644 0.29483 142.4953)'],
      ['#0000ff', 'oklch(0.45201 0.31321 264.052)'],
      ['#ffffff', 'oklch(1 0 0)'],
    ] as const)
      for (const [at, channel] of colour(oklch).entries())
        expect(channel).toBeCloseTo(colour(hex)[at] ?? -1, 2);
  });

  it('are refused if they could be more than a color', () => {
    for (const text of ['red', '#fff', '#12345g', 'oklch(1 0 0);}', 'url(x)', 'var(--x)', 'oklch(40% 0 0)'])
      expect([text, parseColour(text)]).toEqual([text, undefined]);
  });

  it('are placed on the colors of the theme', () => {
    const theme = readFileSync(new URL('../../../../ui/src/theme.css', import.meta.url), 'utf8');
    for (const name of ['paper', 'card', 'well', 'on-harbour'] as const)
      expect(theme).toContain(`--color-${name}: light-dark(${GROUNDS.light[name]}, ${GROUNDS.dark[name]});`);
    const [, light = '', dark = ''] =
      /--color-harbour: light-dark\((oklch\([^)]*\)), (oklch\([^)]*\))\)/.exec(theme) ?? [];
    expect([accentProblems('light', light), accentProblems('dark', dark)]).toEqual([[], []]);
  });

  it('are reported where they cannot be read', () => {
    // Enough contrast on white cards, and too little on the gray background around them.
    expect(accentProblems('light', '#737373')).toEqual([
      expect.stringMatching(/^has a contrast of 4\.\d\d on well, and needs 4\.5$/),
    ]);
    expect(accentProblems('light', '#ffd400')).toHaveLength(4);
    expect(accentProblems('dark', '#0b5563').at(-1)).toMatch(/under the text of buttons/);
    expect(accentProblems('dark', 'blue')).toEqual([expect.stringContaining('must be a colour')]);
  });
});

const GOOD = { name: 'Acme', accents: { light: '#7a1f5c', dark: '#f0a6d8' } };
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');

async function problemsOf(
  content: object | string | Buffer,
  files: Readonly<Record<string, string | Buffer>> = {},
) {
  await using folder = await createTestFolder();
  const path = join(folder.path, 'brand.json');
  writeFileSync(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );
  for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder.path, name), bytes);
  const read = brandFile.safeParse(path);
  return read.success ? read.data : read.error.issues.map(({ message }) => message);
}

describe('a brand file', () => {
  it('has a name, and what else it changes', async () => {
    const brand = await problemsOf(
      {
        ...GOOD,
        logo: 'acme.png',
        links: [{ href: 'https://acme.test/privacy', text: 'Privacy' }],
        messages: { en: { 'signIn.title': 'Welcome to {place}' } },
      },
      { 'acme.png': PNG },
    );
    expect(brand).toMatchObject({
      name: 'Acme',
      logo: { fileName: 'logo.png', bytes: PNG },
      links: [{ text: { en: 'Privacy', de: 'Privacy' } }],
      messages: { en: { 'signIn.title': 'Welcome to {place}' }, de: {} },
    });
    expect(Array.isArray(brand) ? '' : brandCss(brand)).toBe(
      ':root{--color-harbour:light-dark(#7a1f5c,#f0a6d8)}\n',
    );
    expect(await problemsOf({ name: 'Bare' })).toEqual({
      name: 'Bare',
      links: [],
      messages: { en: {}, de: {} },
    });
    expect(brandCss(undefined)).toBe('');
  });

  it('may begin with a byte-order mark', async () => {
    expect(await problemsOf('\uFEFF{ "name": "Zoë\u2028Mill" }')).toMatchObject({ name: 'Zoë\u2028Mill' });
  });

  it.each([
    [Buffer.from('\uFEFF{ "name": "Acme" }', 'utf16le'), 'is UTF-16, or no text: save it as UTF-8'],
    [
      Buffer.from('{\n"name": "Zoë" }', 'latin1'),
      'line 2 is not UTF-8, perhaps Latin-1: save the file as UTF-8',
    ],
  ])('is refused in another encoding', async (content, problem) => {
    expect(await problemsOf(content)).toEqual([problem]);
  });

  it.each([
    ['{', 'is not JSON'],
    [{ ...GOOD, colour: 'red' }, 'colour is not known'],
    [{ ...GOOD, name: ' ' }, 'name must not be empty'],
    [{ ...GOOD, logo: '../key.svg' }, 'logo must be the name of an .svg or .png file beside this one'],
    [{ ...GOOD, logo: 'none.svg' }, 'logo is not a file that can be read, of at most 256 kB'],
    [{ ...GOOD, logo: 'text.png' }, 'logo is no PNG'],
    [{ ...GOOD, logo: 'text.svg' }, 'logo is no SVG'],
    [
      { ...GOOD, links: [{ href: 'javascript:alert(1)', text: 'x' }] },
      'links.0.href must be an address with https: or http:',
    ],
    [
      { ...GOOD, support: 'javascript:alert(1)' },
      'support must be an address with https: or http:, or an email address',
    ],
    [{ ...GOOD, support: 'help' }, 'support must be an address with https: or http:, or an email address'],
    [
      { ...GOOD, messages: { en: { 'home.title': '{count, plural, other {#}}' } } },
      'messages.en.home.title must have nothing but names in braces',
    ],
    [
      { ...GOOD, accents: { light: '#777777', dark: '#f0a6d8' } },
      'accents.light has a contrast of 4.25 on paper, and needs 4.5',
    ],
  ])('is refused with what is wrong: %j', async (content, problem) => {
    const text = 'nothing';
    expect(await problemsOf(content, { 'text.png': text, 'text.svg': text })).toContain(problem);
  });

  it('is reported when it does not exist', () => {
    const issue = brandFile.safeParse('/nowhere/brand.json').error?.issues[0];
    expect(issue?.message).toBe('is not a file that can be read, of at most 256 kB');
  });
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { measureDocument, measureFirstScreen } from './measure-document.js';

const PORTAL = fileURLToPath(new URL('../../../apps/portal/dist/', import.meta.url));

const CONSOLE = fileURLToPath(new URL('../../../apps/console/dist/', import.meta.url));

/** The most that a document may load in all, with gzip, fonts apart. */
const SIGNED_OUT_BYTES = 90_000;
const SIGNED_IN_BYTES = 250_000;
/** The first screen of the console. */
const CONSOLE_BYTES = 215_000;
/** All screens of the console, of which nobody opens every one. */
const CONSOLE_IN_ALL_BYTES = 265_000;
/** The most that one screen adds to what is already loaded. */
const ROUTE_BYTES = 40_000;

/** The screen, what screens share, and the words of one language. */
const MAX_SCRIPTS = 3;

/** A reader loads the messages of one language; German ones are the longest. The service makes the colors of a brand, a line. */
const isLeftOut = (name: string) => name.startsWith('en-') || name === 'brand.css';

const sizeOf = (document: string) =>
  measureDocument(PORTAL, document, isLeftOut).reduce((sum, { bytes }) => sum + bytes, 0);

describe('the portal, as pnpm build builds it,', () => {
  it('loads at most 90 kB for a signed-out screen', () => {
    expect(existsSync(PORTAL), 'build it first: pnpm build').toBe(true);
    const documents = readdirSync(PORTAL).filter((name) => name.endsWith('.html') && name !== 'home.html');
    expect(documents).toContain('sign-in.html');
    for (const document of documents) {
      const size = sizeOf(document);
      // Below a tenth of the budget the measurement has missed a file.
      expect([document, size > SIGNED_OUT_BYTES / 10, size < SIGNED_OUT_BYTES]).toEqual([
        document,
        true,
        true,
      ]);
    }
  });

  it('loads the sign-in in few files, because each takes time on a slow processor', () => {
    const scripts = measureDocument(PORTAL, 'sign-in.html', isLeftOut).filter(({ name }) =>
      name.endsWith('.js'),
    );
    expect(scripts.length).toBeLessThanOrEqual(MAX_SCRIPTS);
  });

  it('loads at most 250 kB for the first signed-in screen', () => {
    const size = sizeOf('home.html');
    expect([size > 60_000, size < SIGNED_IN_BYTES]).toEqual([true, true]);
  });

  it('has every file of a document among those that are measured', () => {
    const names = measureDocument(PORTAL, 'sign-in.html', isLeftOut).map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'sign-in.html',
        expect.stringMatching(/^sign-in-.*\.js$/),
        expect.stringMatching(/^de-.*\.js$/),
        expect.stringMatching(/\.css$/),
      ]),
    );
  });
});

describe('the console, as pnpm build builds it,', () => {
  it('loads at most 215 kB for its first screen, in the language with the longest words', () => {
    expect(existsSync(CONSOLE), 'build it first: pnpm build').toBe(true);
    const files = measureFirstScreen(CONSOLE, 'home.html', (name) => /^(?:overview|de)-/.test(name));
    const names = files.map(({ name }) => name.split('-')[0]);
    expect(names).toEqual(expect.arrayContaining(['home.html', 'home', 'shared', 'overview', 'de']));
    expect(files.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(CONSOLE_BYTES);
  });

  it('has at most 265 kB in all its screens together', () => {
    const size = measureDocument(CONSOLE, 'home.html', isLeftOut).reduce((sum, { bytes }) => sum + bytes, 0);
    expect([size > 60_000, size < CONSOLE_IN_ALL_BYTES]).toEqual([true, true]);
  });

  it('has no screen above 40 kB', () => {
    const folder = join(CONSOLE, 'assets');
    const parts = readdirSync(folder).filter(
      (name) => name.endsWith('.js') && !/^(?:home|shared)-/.test(name),
    );
    expect(parts).toContainEqual(expect.stringMatching(/^members-/));
    for (const name of parts) {
      const size = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
      expect([name, size < ROUTE_BYTES]).toEqual([name, true]);
    }
  });
});

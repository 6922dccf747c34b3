import { mkdirSync, writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { settle } from './settle.js';

const FOLDER = new URL('../../../docs/pictures/', import.meta.url);
const QUALITY = 80;

/** How much of a screen the pictures of the documents show. */
export const DESK = { width: 1280, height: 800 };
export const PHONE = { width: 360, height: 740 };

/** Takes a picture of a page for the documents, once it shows its heading and waits for nothing. */
export async function takePicture(page: Page, name: string): Promise<void> {
  await page.locator('h1').waitFor();
  await settle(page);
  const devtools = await page.context().newCDPSession(page);
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  await devtools.detach();
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${name}.webp`, FOLDER), Buffer.from(data, 'base64'));
}

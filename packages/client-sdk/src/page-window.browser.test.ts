import { openBrowser } from '@gatehouse/testkit/browser';
import { expect, it } from 'vitest';
import { isServer } from './page-window.js';

it('the client recognizes pages and their workers', async () => {
  await using browser = await openBrowser();
  const page = await browser.context.newPage();
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }));
  await page.goto('http://localhost/');
  const asked = `(${isServer.toString()})(globalThis)`;
  expect(await page.evaluate(asked)).toBe(false);
  for (const type of ['classic', 'module']) {
    const inWorker = `new Promise((resolve) => {
      const script = new Blob([${JSON.stringify(`postMessage(${asked})`)}], { type: 'text/javascript' });
      const worker = new Worker(URL.createObjectURL(script), { type: '${type}' });
      worker.onmessage = ({ data }) => resolve(data);
      worker.onerror = ({ message }) => resolve(message);
    })`;
    expect([type, await page.evaluate(inWorker)]).toEqual([type, false]);
  }
});

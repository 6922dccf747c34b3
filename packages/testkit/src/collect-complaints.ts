import type { ConsoleMessage, Page } from 'playwright-core';

/**
 * Collects what the console of a browser and the policy of a page complain about.
 * @param isExpected tells messages that are part of a test, such as a refusal of the service
 */
export async function collectComplaints(
  page: Page,
  complaints: string[],
  isExpected: (message: ConsoleMessage) => boolean,
): Promise<void> {
  page.on('console', (message) => {
    if (!isExpected(message)) complaints.push(message.text());
  });
  page.on('pageerror', (error) => void complaints.push(error.message));
  await page.exposeFunction('tellViolation', (text: string) => void complaints.push(text));
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    tellViolation('refused by the policy: ' + event.effectiveDirective + ' ' + event.blockedURI))`);
}

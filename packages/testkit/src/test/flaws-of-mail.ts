import { HtmlValidate, StaticConfigLoader } from 'html-validate';
import type { Page } from 'playwright-core';
import { findingsOfAxe } from './flaws-of-look.js';

/** Mails have their styles in attributes, and comments that Outlook reads. */
const linter = new HtmlValidate(
  new StaticConfigLoader({
    extends: ['html-validate:recommended'],
    rules: {
      'doctype-style': 'off',
      'no-inline-style': 'off',
      'no-trailing-whitespace': 'off',
      'long-title': 'off',
      'no-conditional-comment': 'off',
      'prefer-tbody': 'off',
    },
  }),
);

/** What is wrong with the markup of a mail. */
async function findingsOfLinter(html: string): Promise<string[]> {
  const { results } = await linter.validateString(html);
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId} at ${line}:${column}: ${message}`),
  );
}

/** The elements that stick out of the page at its sides. */
const STICKING_OUT = `[...document.querySelectorAll('body *')]
  .filter((element) => {
    const { left, right } = element.getBoundingClientRect();
    return left < 0 || right > document.documentElement.clientWidth;
  })
  .map((element) => element.outerHTML.slice(0, 80))`;

/** A mail is shown within a page, which has the landmarks. */
const ABOUT_PAGES = /^(?:landmark-one-main|region):/;

/** What is wrong with the HTML of a mail: its markup, and how it looks on a phone and a desk, light and dark. */
export async function flawsOfMail(page: Page, html: string): Promise<string[]> {
  const flaws = await findingsOfLinter(html);
  if (/(?:src|srcset|background)\s*=|url\(|@import|<link/i.test(html)) flaws.push('it loads something');
  await page.setContent(html);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 700]) {
      await page.setViewportSize({ width, height: 800 });
      const where = `${colorScheme}, ${width} px`;
      const found: unknown = await page.evaluate(STICKING_OUT);
      flaws.push(...[found].flat().map((element) => `${where}: sticks out: ${String(element)}`));
    }
    const findings = (await findingsOfAxe(page)).filter((finding) => !ABOUT_PAGES.test(finding));
    flaws.push(...findings.map((finding) => `${colorScheme}: ${finding}`));
  }
  return flaws;
}

import { z } from 'zod';
import { accentProblems, type Scheme } from './accent-problems.js';

const LANGUAGES = ['en', 'de'] as const;
type Language = (typeof LANGUAGES)[number];

const MAX_MESSAGE_LENGTH = 1000;

const line = (most: number) =>
  z.string().trim().min(1, 'must not be empty').max(most, `is longer than ${most}`);

const accent = (scheme: Scheme) =>
  z.string().superRefine((text, { addIssue }) => {
    for (const message of accentProblems(scheme, text)) addIssue(message);
  });

const link = z.strictObject({
  href: z
    .string()
    .max(2000, 'is too long')
    .refine(
      (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
      'must be an address with https: or http:',
    ),
  /** One text, or one a language. */
  text: z.union([
    line(60).transform((text): Record<Language, string> => ({ en: text, de: text })),
    z.strictObject({ en: line(60), de: line(60) }),
  ]),
});

/** A message in the place of one of ours. Its values stand in braces; it counts and chooses nothing. */
const message = line(MAX_MESSAGE_LENGTH).refine(
  (text) => !/[{}]/.test(text.replaceAll(/\{\w+\}/g, '')),
  'must have nothing but names in braces',
);
const messages = z.record(z.string(), message).default({});

/** The content of the file that PORTAL_BRAND names. */
export const brandSchema = z.strictObject({
  name: line(60),
  /** A file beside this one. */
  logo: z
    .string()
    .regex(/^[\w-][\w.-]*\.(?:svg|png)$/i, 'must be the name of an .svg or .png file beside this one')
    .optional(),
  accents: z.strictObject({ light: accent('light'), dark: accent('dark') }).optional(),
  links: z.array(link).max(6, 'are more than six').default([]),
  messages: z.strictObject({ en: messages, de: messages }).default({ en: {}, de: {} }),
});

/** The name, look and words of a product that people meet in the portal. */
export type Brand = Omit<z.output<typeof brandSchema>, 'logo'> & {
  readonly logo?: { readonly fileName: string; readonly bytes: Buffer };
};

/** The style sheet that puts a brand's colours in the place of ours. */
export function brandCss(brand: Brand | undefined): string {
  if (brand?.accents === undefined) return '';
  const { light, dark } = brand.accents;
  return `:root{--color-harbour:light-dark(${light},${dark})}\n`;
}

import { readFileSync, statSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { parseUrl } from '@gatehouse/auth-core';
import { z } from 'zod';
import { decodeText, UnreadableTextError } from '../../text/read-lines.js';

/** Linear-light sRGB, each from 0 to 1. */
export type LinearRgb = readonly [red: number, green: number, blue: number];

const HEX = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;

const OKLCH = /^oklch\((0?\.\d+|[01]) (0?\.\d+|0) (\d{1,3}(?:\.\d+)?)\)$/;

/** Reads `#rrggbb`, or `oklch(lightness chroma hue)` with plain numbers. Undefined for anything else. */
export function parseColour(text: string): LinearRgb | undefined {
  const hex = HEX.exec(text);
  if (hex) {
    const [red = 0, green = 0, blue = 0] = hex
      .slice(1)
      .map((part) => linear(Number.parseInt(part, 16) / 255));
    return [red, green, blue];
  }
  const oklch = OKLCH.exec(text);
  if (!oklch) return undefined;
  const [lightness = 0, chroma = 0, hue = 0] = oklch.slice(1).map(Number);
  return fromOklch(lightness, chroma, (hue * Math.PI) / 180);
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: LinearRgb, other: LinearRgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: LinearRgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** A color in the form that every program knows. */
export function hexColor(colour: LinearRgb): string {
  const pairs = colour.map((channel) => {
    const encoded = channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${pairs.join('')}`;
}

function linear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
}

/** CSS Color 4, section 9.3. What sRGB cannot show is clipped. */
function fromOklch(lightness: number, chroma: number, hue: number): LinearRgb {
  const a = chroma * Math.cos(hue);
  const b = chroma * Math.sin(hue);
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const clip = (value: number) => Math.min(1, Math.max(0, value));
  return [
    clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** WCAG 2.2, 1.4.3: text of the usual size. */
const LEAST_CONTRAST = 4.5;

/** The tokens of `packages/ui/src/theme.css` on which an accent is placed, or which are placed on it. */
export const GROUNDS = {
  light: {
    paper: 'oklch(0.982 0.006 95)',
    card: 'oklch(0.998 0.002 95)',
    well: 'oklch(0.955 0.009 95)',
    'on-harbour': 'oklch(0.99 0.004 95)',
  },
  dark: {
    paper: 'oklch(0.195 0.014 230)',
    card: 'oklch(0.228 0.016 230)',
    well: 'oklch(0.265 0.018 230)',
    'on-harbour': 'oklch(0.2 0.03 220)',
  },
} as const;

type Scheme = keyof typeof GROUNDS;

/** What is wrong with an accent color: some people could not read text in it or on it. */
export function accentProblems(scheme: Scheme, accent: string): readonly string[] {
  const colour = parseColour(accent);
  if (colour === undefined) return ['must be a colour such as #0b5563 or oklch(0.43 0.085 215)'];
  return Object.entries(GROUNDS[scheme]).flatMap(([name, ground]) => {
    const reached = contrast(colour, known(ground));
    if (reached >= LEAST_CONTRAST) return [];
    const where = name === 'on-harbour' ? 'under the text of buttons' : `on ${name}`;
    // Rounded down, so that a value below the limit never looks like one at it.
    return [`has a contrast of ${(Math.floor(reached * 100) / 100).toFixed(2)} ${where}, and needs 4.5`];
  });
}

function known(text: string): LinearRgb {
  const colour = parseColour(text);
  if (colour === undefined) throw new Error(`${text} is no colour`);
  return colour;
}

const LANGUAGES = ['en', 'de'] as const;

type Language = (typeof LANGUAGES)[number];

const MAX_MESSAGE_LENGTH = 1000;

const line = (most: number) =>
  z.string().trim().min(1, 'must not be empty').max(most, `is longer than ${most}`);

const accent = (scheme: Scheme) =>
  z.string().superRefine((text, { addIssue }) => {
    for (const message of accentProblems(scheme, text)) addIssue(message);
  });

const isPage = (text: string): boolean => /^https?:$/.test(parseUrl(text)?.protocol ?? '');

const address = z.string().max(2000, 'is too long').refine(isPage, 'must be an address with https: or http:');

/** Where people reach support: a page, or an address to write to. */
const support = z
  .string()
  .max(2000, 'is too long')
  .refine(
    (text) => isPage(text) || z.email().safeParse(text).success,
    'must be an address with https: or http:, or an email address',
  )
  .transform((text) => (isPage(text) ? text : `mailto:${text}`));

const link = z.strictObject({
  href: address,
  /** One text, or one a language. */
  text: z.union([
    line(60).transform((text): Record<Language, string> => ({ en: text, de: text })),
    z.strictObject({ en: line(60), de: line(60) }),
  ]),
});

/** A message that replaces one of ours. Its values are in braces; plurals and choices are not allowed. */
const message = line(MAX_MESSAGE_LENGTH).refine(
  (text) => !/[{}]/.test(text.replaceAll(/\{\w+\}/g, '')),
  'must have nothing but names in braces',
);

const messages = z.record(z.string(), message).default({});

/** The content of the file that PORTAL_BRAND names. */
const brandSchema = z.strictObject({
  name: line(60),
  /** Where the product itself is. */
  home: address.optional(),
  support: support.optional(),
  /** A file in the folder of this one. */
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

/** The style sheet that replaces our colors by a brand's. */
export function brandCss(brand: Brand | undefined): string {
  if (brand?.accents === undefined) return '';
  const { light, dark } = brand.accents;
  return `:root{--color-harbour:light-dark(${light},${dark})}\n`;
}

const LARGEST_BYTES = 256_000;

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** The path of a brand file, read at once: an invalid one is a problem of the configuration. */
export const brandFile = z.string().transform((path, context): Brand => {
  const found = readBrand(path);
  if (!Array.isArray(found)) return found;
  for (const message of found) context.addIssue(message);
  return z.NEVER;
});

/** The brand of a file, or what is wrong with it. */
function readBrand(path: string): Brand | string[] {
  const bytes = readSmall(path);
  if (bytes === undefined) return ['is not a file that can be read, of at most 256 kB'];
  const content = parseJson(bytes);
  if (content instanceof UnreadableTextError) return [content.message];
  if (content === undefined) return ['is not JSON'];
  const parsed = brandSchema.safeParse(content);
  if (!parsed.success) return parsed.error.issues.map(told);
  const { logo, ...brand } = parsed.data;
  if (logo === undefined) return brand;
  const image = readSmall(join(dirname(path), logo));
  if (image === undefined) return ['logo is not a file that can be read, of at most 256 kB'];
  const kind = extname(logo).toLowerCase();
  if (!isImage(kind, image)) return [`logo is no ${kind.slice(1).toUpperCase()}`];
  return { ...brand, logo: { fileName: `logo${kind}`, bytes: image } };
}

function readSmall(path: string): Buffer | undefined {
  try {
    const { size } = statSync(path);
    return size <= LARGEST_BYTES ? readFileSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(decodeText(bytes));
  } catch (error) {
    return error instanceof UnreadableTextError ? error : undefined;
  }
}

function isImage(kind: string, bytes: Buffer): boolean {
  if (kind === '.png') return bytes.subarray(0, PNG.length).equals(PNG);
  return /<svg[\s>]/.test(bytes.toString('utf8'));
}

function told({ path, message, code, ...issue }: z.core.$ZodIssue): string {
  if (code === 'unrecognized_keys' && 'keys' in issue)
    return `${[...path, ''].join('.')}${issue.keys.join(', ')} is not known`;
  return `${path.join('.')} ${message}`.trim();
}

import { contrast, type LinearRgb, parseColour } from './colour.js';

/** WCAG 2.2, 1.4.3: text of the usual size. */
const LEAST_CONTRAST = 4.5;

/** The tokens of `packages/ui/src/theme.css` that an accent stands on, or that stand on it. */
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

export type Scheme = keyof typeof GROUNDS;

/** What is wrong with an accent: text in it, or on it, that some people could not read. */
export function accentProblems(scheme: Scheme, accent: string): readonly string[] {
  const colour = parseColour(accent);
  if (colour === undefined) return ['must be a colour such as #0b5563 or oklch(0.43 0.085 215)'];
  return Object.entries(GROUNDS[scheme]).flatMap(([name, ground]) => {
    const reached = contrast(colour, known(ground));
    if (reached >= LEAST_CONTRAST) return [];
    const where = name === 'on-harbour' ? 'under the text of buttons' : `on ${name}`;
    // Rounded down, so that what misses never looks like what does not.
    return [`has a contrast of ${(Math.floor(reached * 100) / 100).toFixed(2)} ${where}, and needs 4.5`];
  });
}

function known(text: string): LinearRgb {
  const colour = parseColour(text);
  if (colour === undefined) throw new Error(`${text} is no colour`);
  return colour;
}

import { type Brand, GROUNDS, hexColor, parseColour } from '@gatehouse/runtime/config/brand/brand';
import { type Config, productName } from '../core/config.js';

/** The colors of a mail, as `#rrggbb`: many mail programs know no other form. */
interface MailColours {
  readonly page: string;
  readonly card: string;
  readonly line: string;
  readonly ink: string;
  readonly quiet: string;
  readonly accent: string;
  readonly onAccent: string;
}

/** The name and the colors of the product, as mails show them. */
export interface MailBrand {
  readonly name: string;
  /** Whether the mail shows our mark beside the name. A brand's own logo would have to be loaded from somewhere. */
  readonly hasMark: boolean;
  /** Where its support is: the address of a page, or one that begins with mailto:. */
  readonly support: string | undefined;
  readonly light: MailColours;
  readonly dark: MailColours;
}

const OUR_ACCENTS = { light: 'oklch(0.43 0.085 215)', dark: 'oklch(0.8 0.09 205)' } as const;

/** The tokens of `packages/ui/src/theme.css` that are not in `GROUNDS`. */
const OTHERS = {
  light: { line: 'oklch(0.885 0.012 95)', ink: 'oklch(0.26 0.03 235)', quiet: 'oklch(0.47 0.025 235)' },
  dark: { line: 'oklch(0.345 0.02 230)', ink: 'oklch(0.94 0.008 95)', quiet: 'oklch(0.74 0.014 95)' },
} as const;

function coloursOf(scheme: 'light' | 'dark', brand: Brand | undefined): MailColours {
  const { paper, card, 'on-harbour': onHarbour } = GROUNDS[scheme];
  const { line, ink, quiet } = OTHERS[scheme];
  return {
    page: hex(paper),
    card: hex(card),
    line: hex(line),
    ink: hex(ink),
    quiet: hex(quiet),
    accent: hex(brand?.accents?.[scheme] ?? OUR_ACCENTS[scheme]),
    onAccent: hex(onHarbour),
  };
}

function hex(text: string): string {
  const colour = parseColour(text);
  if (colour === undefined) throw new Error(`${text} is no colour`);
  return hexColor(colour);
}

/** The brand of a deployment; ours without one, and for the operator's commands, which have no configuration. */
export function mailBrand(config?: Pick<Config, 'PORTAL_BRAND'>): MailBrand {
  const brand = config?.PORTAL_BRAND;
  return {
    name: productName(config),
    hasMark: brand === undefined,
    support: brand?.support,
    light: coloursOf('light', brand),
    dark: coloursOf('dark', brand),
  };
}

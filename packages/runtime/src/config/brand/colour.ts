/** Linear-light sRGB, each from 0 to 1. */
export type LinearRgb = readonly [red: number, green: number, blue: number];

const HEX = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i;
const OKLCH = /^oklch\((0?\.\d+|[01]) (0?\.\d+|0) (\d{1,3}(?:\.\d+)?)\)$/;

/** Reads `#rrggbb`, or `oklch(lightness chroma hue)` with numbers alone. Undefined for anything else. */
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

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
export function contrast(one: LinearRgb, other: LinearRgb): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance([red, green, blue]: LinearRgb): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
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

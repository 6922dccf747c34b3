/**
 * The URL that a text is; undefined if it is not a URL. In place of `URL.canParse`, which on Node 20 calls addresses
 * with a letter such as `ü` wrong as soon as a place that asks it often is compiled.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

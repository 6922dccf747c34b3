/**
 * The URL that a text is; undefined if it is not a URL. Replaces `URL.canParse`, which on Node 20 reports URLs with a letter such
 * as `ü` as invalid once a frequent caller is compiled.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

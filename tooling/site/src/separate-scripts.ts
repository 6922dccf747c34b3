import { createHash } from 'node:crypto';

/**
 * A document whose inline scripts are files, so that the policy of the page can forbid inline code. They still run before the
 * page is painted.
 * @param base the path of the site, with a slash at its end
 * @param scripts takes the text of each file by its name
 */
export function separateScripts(html: string, base: string, scripts: Map<string, string>): string {
  return html.replace(
    /<script((?:(?!\ssrc=)[^>])*)>([\s\S]+?)<\/script>/g,
    (_, attributes: string, code: string) => {
      const name = `assets/inline.${createHash('sha256').update(code).digest('hex').slice(0, 12)}.js`;
      scripts.set(name, code);
      return `<script${attributes} src="${base}${name}"></script>`;
    },
  );
}

import { createHash } from 'node:crypto';

/** The style sheet of every page: the colours of the portal, light and dark, at any size, without web fonts. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--accent:light-dark(oklch(.43 .085 215),oklch(.8 .09 205));--line:light-dark(oklch(.6 .02 230),oklch(.58 .02 230));--bad:light-dark(oklch(.49 .16 30),oklch(.76 .12 30))}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(oklch(.982 .006 95),oklch(.195 .014 230));color:light-dark(oklch(.26 .03 235),oklch(.94 .008 95))}
main{max-width:34rem;margin:0 auto}
h1{font-size:1.75rem;line-height:1.2}
label{display:block;margin:1.25rem 0 .25rem;font-weight:600}
input{width:100%;padding:.6rem .75rem;font:inherit;color:inherit;background:light-dark(oklch(.998 .002 95),oklch(.228 .016 230));border:1px solid var(--line);border-radius:3px}
button{margin-top:1.5rem;padding:.6rem 1.25rem;font:inherit;font-weight:600;border:0;border-radius:3px;background:var(--accent);color:light-dark(oklch(.99 .004 95),oklch(.2 .03 220));cursor:pointer}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.hint{font-size:.9rem}
.bad{color:var(--bad);font-weight:600}
article{margin:1.5rem 0;padding:1rem;border:1px solid var(--line);border-radius:3px}
article h2{margin:0 0 .25rem;font-size:1.1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.95rem/1.45 ui-monospace,monospace}
`;

/** A style sheet's hash for the Content-Security-Policy, so that no other style applies. */
export function styleSource(sheet: string): string {
  return `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
}

import { createHash } from 'node:crypto';

/** The style sheet of every page: readable in light and dark, at any size, without web fonts. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--accent:light-dark(#1f4f8f,#8fb8f0);--line:light-dark(#c9c9c4,#55554f);--bad:light-dark(#a11616,#ff9d94)}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif}
main{max-width:34rem;margin:0 auto}
h1{font-size:1.5rem;line-height:1.25}
label{display:block;margin:1.25rem 0 .25rem;font-weight:600}
input{width:100%;padding:.6rem .75rem;font:inherit;border:1px solid var(--line);border-radius:.4rem}
button{margin-top:1.5rem;padding:.7rem 1.25rem;font:inherit;font-weight:600;border:0;border-radius:.4rem;background:var(--accent);color:light-dark(#fff,#10233c);cursor:pointer}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.hint{font-size:.9rem}
.bad{color:var(--bad);font-weight:600}
article{margin:1.5rem 0;padding:1rem;border:1px solid var(--line);border-radius:.5rem}
article h2{margin:0 0 .25rem;font-size:1.1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.95rem/1.45 ui-monospace,monospace}
`;

/** A style sheet's hash for the Content-Security-Policy, so that no other style applies. */
export function styleSource(sheet: string): string {
  return `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
}

/** What the page of the documents needs beside the style of all pages. */
export const DOCS_STYLE = `
main{max-width:60rem}
h2{margin:2.5rem 0 .25rem;font-size:1.25rem}
h3{margin:1.25rem 0 .25rem;font-size:1rem}
nav ul{columns:16rem;margin:0;padding:0;list-style:none}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
details{margin:.4rem 0;border:1px solid var(--line);border-radius:.4rem}
details>:not(summary){margin-left:.75rem;margin-right:.75rem}
summary{padding:.5rem .75rem;cursor:pointer;overflow-wrap:anywhere}
.method{display:inline-block;min-width:3.2rem;font-weight:700;color:var(--accent)}
.scroll{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.3rem .5rem .3rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
pre{max-height:24rem;overflow:auto;padding:.6rem .75rem;border:1px solid var(--line);border-radius:.4rem}
`;

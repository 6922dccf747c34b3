/** Styles for the document page, beyond those of all pages. */
export const DOCS_STYLE = `
:root{--paper:light-dark(oklch(.982 .006 95),oklch(.195 .014 230));--sheet:light-dark(oklch(.998 .002 95),oklch(.228 .016 230));--well:light-dark(oklch(.955 .009 95),oklch(.265 .018 230));--line:light-dark(oklch(.885 .012 95),oklch(.345 .02 230));--edge:light-dark(oklch(.6 .02 230),oklch(.58 .02 230));--ink:light-dark(oklch(.26 .03 235),oklch(.94 .008 95));--quiet:light-dark(oklch(.47 .025 235),oklch(.74 .014 95));--accent:light-dark(oklch(.43 .085 215),oklch(.8 .09 205));--on-accent:light-dark(oklch(.99 .004 95),oklch(.2 .03 220));--moss:light-dark(oklch(.47 .1 150),oklch(.79 .12 150));--brick:light-dark(oklch(.49 .16 30),oklch(.76 .12 30));--lantern-wash:light-dark(oklch(.955 .045 85),oklch(.31 .05 75))}
html{scroll-padding-top:1rem;background:var(--paper);color:var(--ink)}
body{padding:0;font-size:.9375rem}
code,pre,textarea,.method,.status{font-family:ui-monospace,"SF Mono","Cascadia Mono",Menlo,Consolas,monospace;font-size:.92em}
code{overflow-wrap:anywhere}
a{text-underline-offset:.15em}
small{font-size:.8125rem;color:var(--quiet)}
.hint,.lead{color:var(--quiet)}
.side{display:flex;flex-direction:column;padding:1rem;background:var(--well);border-bottom:1px solid var(--line)}
.brand{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin:0 0 .75rem}
.brand svg{color:var(--moss)}
.brand span{font-size:.8125rem;color:var(--quiet)}
#contents{max-height:14rem;overflow:auto}
#contents ul{margin:0;padding:0;list-style:none}
#contents a{display:block;padding:.25rem .5rem;color:inherit;text-decoration:none;border-left:3px solid transparent}
#contents a:hover,#contents a[aria-current]{background:var(--sheet);border-left-color:var(--accent)}
#contents .chapter{margin-top:.6rem;font-size:.8125rem;color:var(--quiet)}
#contents .chapter::first-letter,h2::first-letter{text-transform:uppercase}
#contents .to>span{display:block;line-height:1.3}
#contents .to small{display:block;overflow-wrap:anywhere;line-height:1.35}
#contents .to small .method{min-width:0}
main{max-width:76rem;margin:0;padding:1.5rem 1rem 6rem}
h1{margin:0 0 .5rem;font-size:1.75rem;text-wrap:balance}
h2{margin:2.75rem 0 .5rem;padding-top:.75rem;border-top:2px solid var(--ink);font-size:1.25rem;line-height:1.3}
h3{display:inline;margin:0;font-size:1rem;font-weight:600}
h4{margin:1.5rem 0 .25rem;font-size:.8125rem;font-weight:600;color:var(--quiet)}
section>p,main>p,main>ul{max-width:46rem}
.method{display:inline-block;min-width:2.8rem;font-weight:700}
.get{color:var(--accent)}
.post{color:var(--moss)}
.operation{margin:0;background:var(--sheet);border-bottom:1px solid var(--line)}
.operation>summary{display:flex;flex-wrap:wrap;gap:.1rem .75rem;align-items:baseline;padding:.6rem .75rem;cursor:pointer;overflow-wrap:anywhere}
.operation>summary>span{color:var(--quiet)}
.operation>summary:hover{background:var(--well)}
.operation>summary::-webkit-details-marker{display:none}
.operation[open]>summary{border-bottom:1px solid var(--line)}
.operation>:not(summary){padding:.25rem .75rem 1.5rem}
.fields,.refusals{margin:0;padding:0;list-style:none}
.fields li{padding:.45rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
.fields li:last-child{border-bottom:0}
.fields code{font-weight:600}
.fields p{margin:.1rem 0 0}
.fields p code{font-weight:400}
.refusals{display:flex;flex-wrap:wrap;gap:.35rem .4rem;margin-top:.4rem}
.refusals li{padding:.1rem .45rem;background:var(--well);border-radius:3px}
.refusals a{color:inherit}
.status{color:var(--brick);font-weight:600}
.status.fine{color:var(--moss)}
dl{max-width:46rem;margin:0}
dt{padding-top:.6rem}
dd{margin:.1rem 0 0;padding-bottom:.6rem;border-bottom:1px solid var(--line);color:var(--quiet);overflow-wrap:anywhere}
:target{background:var(--lantern-wash)}
.operation:target{background:var(--sheet);box-shadow:inset 3px 0 var(--accent)}
h2:target{background:none}
figure{margin:1rem 0 0;background:var(--paper);border:1px solid var(--line);border-radius:3px}
figcaption{display:flex;align-items:center;justify-content:space-between;min-height:2rem;padding:.1rem .35rem .1rem .75rem;border-bottom:1px solid var(--line);font-size:.8125rem;color:var(--quiet)}
pre{margin:0;padding:.6rem .75rem;font-size:.8125rem;line-height:1.5}
pre code{font:inherit}
input.token{-webkit-text-security:disc}
input,textarea{min-height:2.25rem;padding:.35rem .6rem;color:inherit;background:var(--sheet);border-color:var(--edge);border-radius:3px}
textarea{display:block;width:100%;min-height:8rem;border:1px solid var(--edge);resize:vertical}
button{min-height:2rem;margin:0;padding:.3rem .75rem;border-radius:3px;color:var(--on-accent)}
button.plain{color:inherit;background:transparent;border:1px solid var(--edge);font-weight:400}
figcaption button.plain{min-height:1.6rem;padding:.05rem .5rem;border-color:transparent;font-size:.8125rem;color:var(--accent)}
figcaption button.plain:hover{border-color:var(--edge)}
.field label{margin:.75rem 0 .2rem;font-size:.875rem}
.field label small{font-weight:400}
.try{margin-top:1rem;padding-top:.25rem}
.row{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem;margin-top:.75rem}
.answer .hint{margin:.4rem .75rem 0;font-size:.8125rem;overflow-wrap:anywhere}
.answer pre{max-height:28rem;overflow:auto}
.note{margin:.5rem 0 0;padding:.4rem .75rem;background:var(--lantern-wash);border-radius:3px}
.found{display:flex;justify-content:space-between;gap:.5rem;margin:.35rem 0 0;font-size:.8125rem;color:var(--quiet)}
#search label{margin:0;font-size:.8125rem;font-weight:400;color:var(--quiet)}
kbd{font:inherit;font-size:.75rem}
.away{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
[hidden]{display:none!important}
@media (max-width:59.99rem){
.js .side{position:sticky;top:0;z-index:1;padding:.6rem 1rem}
.js .brand,.found kbd{display:none}
.js .side:not(.searching) #contents{display:none}
.js .searching #contents{max-height:55vh}
html.js{scroll-padding-top:6.5rem}
}
@media (min-width:60rem){
body{display:grid;grid-template-columns:17.5rem minmax(0,1fr)}
.side{position:sticky;top:0;height:100vh;padding:1rem .75rem;border-bottom:0;border-right:1px solid var(--line)}
#contents{flex:1;max-height:none;margin:0 -.25rem}
main{padding:2rem 2.5rem 8rem}
}
@media (min-width:80rem){
.columns{display:grid;grid-template:'details samples' auto/minmax(0,1fr) minmax(0,27rem);gap:2.5rem}
.details{grid-area:details}
.samples{grid-area:samples;position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto}
}
`;

/** Style sheet of the report: one column of text, charts that fill the width, light and dark schemes, print rules. */
import { diagramColours, diagramStyle } from './diagram-style.ts';
import { colourClasses, colourVariables } from './palette.ts';

export const style = `
:root{color-scheme:light dark;--bg:#fafaf8;--card:#fff;--ink:#1b1f24;--dim:#59626c;--line:#dfe2e6;--grid:#eceef1;--soft:#f3f4f6;--shade:#0004;--accent:#1f5fa8;--good:#0b7350;--bad:#b3261e;
${colourVariables('light')};${diagramColours.light};
--completed:#9db3c8;--refused:#d9a441;--error:#b3261e;--unfinished:#3d4650;--gateway:#c9ced4;--service:#9aa5b1;--enforcement:#7b52ab}
@media (prefers-color-scheme:dark){:root{--bg:#14171a;--card:#1b1f23;--ink:#e8eaed;--dim:#a3acb6;--line:#343a41;--grid:#2a2f35;--soft:#22272c;--shade:#fff4;--accent:#7ab3f0;--good:#5cc9a0;--bad:#ff8a80;
${colourVariables('dark')};${diagramColours.dark};
--completed:#55708a;--refused:#d9a441;--error:#ff8a80;--unfinished:#dfe3e8;--gateway:#4a525b;--service:#6d7884;--enforcement:#b79af0}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-behavior:smooth}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
main,header,footer{max-width:90rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:2.5rem}
h1{font-size:1.9rem;line-height:1.2;margin:.2rem 0 .4rem;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.3rem;line-height:1.3;margin:0 0 .5rem}
h3{font-size:1rem;margin:1.75rem 0 .35rem}
p{margin:.5rem 0;max-width:46rem;overflow-wrap:anywhere}
.eyebrow{font-size:.8rem;letter-spacing:.06em;text-transform:uppercase;color:var(--dim);margin:0}
.meta,.lead,.note{color:var(--dim)}
.lead b{color:var(--ink)}
.note,.meta{font-size:.875rem}
.quiet{color:var(--dim);font-weight:400;font-size:.8125rem}
a{color:var(--accent)}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:1rem 0 0;font-size:.9rem}
nav a{display:inline-block;padding:.25rem 0}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1.4rem 1.5rem 1.5rem;margin:1.25rem 0}
.headline{font-size:1.35rem;line-height:1.4;font-weight:600;max-width:52rem;margin:.25rem 0 .75rem;text-wrap:pretty}
.shown{color:var(--good);font-size:.7em;vertical-align:.15em}
.good{color:var(--good)!important}.bad{color:var(--bad)!important}
.warning{border-left:4px solid var(--refused);background:var(--soft);padding:.6rem .9rem;border-radius:4px;max-width:none}
.name{white-space:nowrap}
table{border-collapse:separate;border-spacing:0;font-size:.875rem;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}
.number{text-align:right;white-space:nowrap}
.scroll{overflow-x:auto;margin:.75rem 0;border:1px solid var(--line);border-radius:6px;background:linear-gradient(270deg,var(--card) 40%,transparent) 100% 0/2rem 100% no-repeat local,linear-gradient(270deg,var(--shade),transparent) 100% 0/.9rem 100% no-repeat}
.scroll::-webkit-scrollbar{height:10px}.scroll::-webkit-scrollbar-track{background:var(--soft)}.scroll::-webkit-scrollbar-thumb{background:var(--dim);border-radius:5px;border:2px solid var(--soft)}
.fitted{width:fit-content;max-width:100%}
.data{width:100%;line-height:1.25rem}
.data th,.data td{padding:.375rem .6rem;border-bottom:1px solid var(--line);vertical-align:top}
.data tbody tr:last-child td{border-bottom:0}
.data thead th{background:var(--soft);color:var(--dim);font-weight:600;white-space:nowrap;vertical-align:bottom}
.data:is(:not(:has(td.text)),:has(.bar)) thead th,.data thead th.number{white-space:normal}.data td{white-space:nowrap}.data td.text{white-space:normal;min-width:7.5rem}.data td:first-child{position:sticky;left:0;background:var(--card)}
.data th:first-child{position:sticky;left:0}
.data small{color:var(--dim);font-size:.8125rem;margin-left:.25rem}
.ratio{display:inline-block;min-width:3.6em;text-align:right}
.spark{display:block}
.narrow{max-width:44rem}
.panels{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,25rem),1fr));gap:1.5rem 2rem;margin:1rem 0}
.panel{min-width:0}
.chart{width:100%;table-layout:fixed}
.chart caption{text-align:left;font-weight:600;padding:0 0 .25rem;border-bottom:1px solid var(--line)}
.chart th,.chart td{padding:0 .25rem;vertical-align:middle;line-height:1.2}
.chart thead th{color:var(--dim);font-weight:400;font-size:.8125rem;padding:.3rem .25rem}
.chart thead th:first-child{width:9.2rem}
.chart thead th.number{width:5rem}
.chart tbody th{font-weight:400;overflow-wrap:anywhere}
.chart .group th{font-weight:600;padding:.7rem .25rem .15rem;font-size:.8125rem;color:var(--dim)}
.chart th:first-child{padding-left:0}.chart .number:last-child{padding-right:0}
.strip{height:26px}.strip>svg{display:block;overflow:hidden}.strip .published{overflow:visible}
.swatch{display:inline-block;width:.6rem;height:.6rem;border-radius:2px;margin-right:.45rem;background:var(--c)}
${colourClasses()}
.grid line{stroke:var(--grid)}.grid rect{fill:var(--soft)}
.whisker{stroke:var(--c);stroke-width:1.25}
.body{fill:var(--c);fill-opacity:.28;stroke:var(--c);stroke-width:1.25}
.median{stroke:var(--ink);stroke-width:2.25}
.outliers circle{fill:none;stroke:var(--c);stroke-opacity:.7}
.repetitions line{stroke:var(--dim);stroke-width:1.25}
.published path{fill:var(--card);stroke:var(--ink);stroke-width:1.5}
.axis text{fill:var(--dim);font-size:11.5px;font-family:inherit}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:.25rem 1.25rem;padding:0;margin:.75rem 0 0;font-size:.875rem}
.legend svg{margin-right:.4rem;vertical-align:-1px}
.fill-completed{fill:var(--completed)}.fill-refused{fill:var(--refused)}.fill-error{fill:var(--error)}.fill-unfinished{fill:var(--unfinished)}
.fill-level{fill:var(--c)}.fill-gateway{fill:var(--gateway)}.fill-service{fill:var(--service)}.fill-enforcement{fill:var(--enforcement)}
.bar{overflow:visible}.data td:has(>.bar){width:65%}.bar rect+rect{stroke:var(--card);stroke-width:1}.points circle{fill:var(--card);stroke:var(--ink);stroke-width:1}
.sentences{margin:.5rem 0;padding:0 0 0 1.1rem;max-width:52rem}.sentences li{margin:.25rem 0;overflow-wrap:anywhere}
.chart-figure{margin:1.25rem 0 .5rem;padding:0}.chart-figure figcaption{display:flex;justify-content:space-between;align-items:baseline;gap:1rem;flex-wrap:wrap}.chart-figure figcaption h3{margin:0}
button{font:inherit;font-size:.8125rem;color:var(--accent);background:none;border:1px solid var(--line);border-radius:5px;padding:.15rem .6rem;min-height:1.75rem;cursor:pointer}button:hover{background:var(--soft)}
.tools{display:flex;gap:.4rem}.tools[hidden]{display:none}
.plots{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));gap:1rem 1.5rem;margin:.75rem 0 0}
[data-figure^=trend-] .plots{grid-template-columns:repeat(auto-fit,minmax(min(100%,max(20rem,40%)),1fr))}
.plots.stacked{grid-template-columns:1fr;gap:.35rem}.crosshair{stroke:var(--ink);stroke-opacity:.55;pointer-events:none}
${diagramStyle}
.travel-tools,.pick+.drawing .canvas{margin:.6rem 0 0}
.pick{display:block;margin:.75rem 0 0;font-size:.9rem;color:var(--dim)}.pick select{font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:5px;padding:.15rem .4rem;max-width:100%}
.plot{min-width:0;margin:0;border-radius:4px}.plot>svg{--plot-background:var(--card);display:block;height:auto;max-width:100%;overflow:visible}.plot>svg text{white-space:pre}
.plot-title{font-weight:600;font-size:.875rem;margin:0}.plot output{display:block;min-height:1.4em;font-size:.8125rem;color:var(--dim);white-space:pre-line;overflow-wrap:anywhere}
.controls{position:sticky;top:0;z-index:2;background:var(--card);border:1px solid var(--line);border-radius:0 0 8px 8px;padding:.35rem 1rem;margin:1rem 0 0;box-shadow:0 2px 6px rgb(0 0 0/.06)}.controls[hidden]{display:none}
.controls form{padding:.25rem 0 .35rem;max-height:60vh;overflow-y:auto}.controls fieldset{border:0;margin:0;padding:.15rem 0;display:flex;flex-wrap:wrap;gap:.2rem .9rem;font-size:.9rem}.controls legend{float:left;min-width:6.5rem;padding:0;color:var(--dim)}.controls label{display:inline-flex;gap:.35rem;align-items:center;min-height:1.6rem;overflow-wrap:anywhere}.controls p{margin:.3rem 0 0}.controls input{accent-color:var(--accent)}
section[id]{scroll-margin-top:4rem}
[hidden]{display:none!important}
details{margin:.75rem 0}
summary{cursor:pointer;color:var(--accent);font-size:.9rem;padding:.15rem 0;width:fit-content}
pre{background:var(--soft);border:1px solid var(--line);border-radius:6px;padding:.75rem 1rem;overflow:auto;max-height:32rem;font-size:.85rem;line-height:1.45}
pre.command{white-space:pre-wrap;overflow-wrap:anywhere}
code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.95em;overflow-wrap:anywhere}
dl{display:grid;gap:.15rem 1.5rem;margin:1rem 0;font-size:.9rem}
dl div{display:grid;grid-template-columns:7rem 1fr;gap:.75rem}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
footer{color:var(--dim);font-size:.8125rem;padding-bottom:3rem}
@media (min-width:75rem){.headline{max-width:68rem}.sentences{max-width:none;columns:2;column-gap:3rem}.sentences li{break-inside:avoid;max-width:46rem}}
@media (max-width:70rem){.data td.long{min-width:16rem}}
@media (max-width:40rem){.data td:first-child{white-space:normal;min-width:6.5rem}.data td.text{min-width:8.5rem}.data td.text:has(>.bar){min-width:5.5rem}.controls legend{float:none;width:100%}main,header,footer{padding-left:.9rem;padding-right:.9rem}header{padding-top:1.5rem}section{padding:1.1rem .9rem;border-radius:8px}.headline{font-size:1.15rem}h1{font-size:1.5rem}
dl div{grid-template-columns:5.2rem 1fr}
.chart,.chart tbody,.chart thead,.chart tfoot{display:block}.chart tr{display:flex;flex-wrap:wrap;align-items:baseline;padding-top:.3rem}.chart th:first-child{flex:1}.chart thead th:first-child{width:auto}.chart .number,.chart thead th.number{width:4.6rem;flex:none}.chart .strip,.chart thead th:nth-child(2){flex:0 0 100%;order:1;padding:0}.chart .axis-line td:not(.strip){display:none}.chart caption{display:block}.chart thead th:nth-child(2){padding-top:.2rem}}
@media print{@page{margin:12mm}html{font-size:12.5px}body{line-height:1.4}:root{--bg:#fff;--soft:#f6f6f6}header{padding-top:0}.headline{font-size:1.15rem}.controls,.tools,.plot output{display:none!important}.plot{break-inside:avoid}.plots{grid-template-columns:1fr 1fr}body{font-size:10pt}nav{display:none}section{border:0;padding:0;margin:1rem 0;break-inside:auto}footer{padding-bottom:0}p,.sentences{max-width:none}.panel,tr{break-inside:avoid}.scroll{overflow:visible;border:0;background:none}.data{font-size:6.5pt}#figures .data{font-size:8.5pt}.data th,.data td{padding:.1rem .2rem;white-space:normal!important;min-width:0!important}details::details-content{content-visibility:visible;block-size:auto;display:block}pre{max-height:none}svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

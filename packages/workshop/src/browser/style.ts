/** Style sheet of the page, with the colours of reports. Two columns from 1100 px, one below; light, dark and print. */
import { diagramColours, diagramStyle } from '@topo-bench/report/diagram-style';
import { colourClasses, colourVariables } from '@topo-bench/report/palette';
import { whatIfStyle } from '@topo-bench/report/what-if-style';

export const style = `
:root{color-scheme:light dark;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;
--bg:#f6f6f3;--card:#fff;--ink:#1b1f24;--dim:#59626c;--line:#dcdfe3;--grid:#eceef1;--soft:#f3f4f6;--picked:#cfe1f5;--accent:#1f5fa8;--on-accent:#fff;--good:#0b7350;--bad:#b3261e;${diagramColours.light};
${colourVariables('light')}}
@media (prefers-color-scheme:dark){:root{--bg:#121518;--card:#1b1f23;--ink:#e8eaed;--dim:#a3acb6;--line:#343a41;--grid:#2a2f35;--soft:#22272c;--picked:#2c4766;--accent:#7ab3f0;--on-accent:#10161c;--good:#5cc9a0;--bad:#ff8a80;${diagramColours.dark};
${colourVariables('dark')}}}
${colourClasses()}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 var(--sans)}
h1,h2,h3,p,ul,figure,fieldset{margin:0;padding:0}
h1{font-size:1.15rem;line-height:1.2;letter-spacing:-.01em}
h2{font-size:1.05rem;line-height:1.3;letter-spacing:-.005em}
h3{font-size:.8125rem;line-height:1.4;font-weight:600}
.eyebrow{font-size:.6875rem;letter-spacing:.08em;text-transform:uppercase;color:var(--dim);line-height:1.3}
.note{color:var(--dim);font-size:.8125rem;line-height:1.45;max-width:46rem}
small{color:var(--dim);font-size:.75rem;font-weight:400}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
[hidden]{display:none!important}
.skip{position:absolute;left:1rem;top:-4rem;background:var(--card);padding:.4rem .8rem;z-index:9}.skip:focus{top:.5rem}
.hidden-text{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.bar{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:1rem 1.5rem;flex-wrap:wrap;padding:.6rem 1.25rem;background:var(--card);border-bottom:1px solid var(--line)}
.file{display:flex;align-items:baseline;gap:.6rem;flex:1 1 14rem;min-width:0;font-size:.875rem;overflow-wrap:anywhere}
.file-state{color:var(--dim);font-size:.8125rem;white-space:nowrap}.file-state.changed{color:var(--request);font-weight:600}
.bar-tools{display:flex;gap:.4rem;flex-wrap:wrap}
button,select,input,textarea{font:inherit;font-size:.8125rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;min-height:2rem;padding:.2rem .65rem}
button{color:var(--accent);cursor:pointer;font-weight:500;white-space:nowrap}button:hover:not(:disabled){background:var(--soft)}
button:disabled{color:var(--dim);cursor:default;opacity:.65}
button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}button.primary:hover:not(:disabled){background:var(--accent);filter:brightness(1.08)}button.primary:disabled{background:var(--soft);border-color:var(--line);color:var(--dim);opacity:1}
button.danger{color:var(--bad)}
input[type=number]{width:6.2rem;font-variant-numeric:tabular-nums}
input::placeholder,textarea::placeholder{color:var(--dim);opacity:1}
textarea{width:100%;padding:.5rem .65rem;resize:vertical}
main{display:grid;grid-template-columns:minmax(0,1fr);gap:1rem;padding:1rem 1.25rem;max-width:112rem;margin:0 auto}
.right{display:grid;gap:1rem;align-content:start;min-width:0}
section{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:1rem 1.15rem;min-width:0}
.section-head,figcaption{display:flex;align-items:center;gap:.4rem 1rem;flex-wrap:wrap;justify-content:space-between}
.warning{border-left:4px solid var(--request);background:var(--soft);padding:.6rem .9rem;border-radius:4px;font-size:.875rem;margin:.6rem 0 0}
.ended{grid-column:1/-1;margin:0}
.left{display:flex;flex-direction:column;gap:.75rem}
.topology figcaption{margin-bottom:.5rem}
.tools{display:flex;gap:.35rem;flex-wrap:wrap}.tools button{min-height:1.75rem;padding:.1rem .55rem;font-size:.75rem}
${diagramStyle}
${whatIfStyle}
.too-many{padding:.6rem .9rem}
.fields{display:flex;flex-wrap:wrap;gap:.5rem .6rem;align-items:center}.fields+.fields,.fields+.note,.explain{margin-top:.6rem}
.labelled{display:inline-flex;align-items:center;gap:.4rem;flex-wrap:wrap;font-size:.8125rem}.labelled label{color:var(--dim)}
.inspector{border-top:1px solid var(--line);padding-top:.75rem}
.explained{font-size:.8125rem;margin-top:.5rem;max-height:14rem;overflow:auto;overflow-wrap:anywhere}.explained ul{list-style:none;margin-top:.3rem}.explained li{padding:.15rem 0;border-top:1px solid var(--grid)}
details{border-top:1px solid var(--line);padding-top:.6rem}summary{cursor:pointer;font-size:.8125rem;font-weight:600;width:fit-content}
.editor{height:24rem;border:1px solid var(--line);border-radius:8px;overflow:hidden;margin-top:.5rem}
.problems{list-style:none;font-size:.8125rem;margin-top:.5rem;max-height:9rem;overflow:auto}.problems li{padding:.2rem 0 .2rem .6rem;border-left:3px solid var(--bad);margin-bottom:.25rem;overflow-wrap:anywhere}.problems li.warning{border-left-color:var(--request);background:none;margin:0 0 .25rem}
.headline{font-size:1.3rem;line-height:1.35;font-weight:600;letter-spacing:-.01em;margin:.6rem 0 .2rem;text-wrap:pretty;max-width:54rem}
.section-head .mark{white-space:normal;margin-right:auto}
.chart-figure+.chart-figure,.headline+.chart-figure{margin-top:1.1rem}
.answer figcaption{border-bottom:1px solid var(--line);padding-bottom:.35rem;margin-bottom:.35rem}
table{border-collapse:collapse;width:100%;font-size:.8125rem;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:600}td{vertical-align:top}
caption{text-align:left;color:var(--dim);font-size:.75rem;padding-bottom:.25rem}
.swatch{display:inline-block;width:.6rem;height:.6rem;border-radius:2px;margin-right:.45rem;background:var(--c)}
.grid line{stroke:var(--grid)}.grid rect{fill:var(--soft)}.whisker{stroke:var(--c);stroke-width:1.25}.body{fill:var(--c);fill-opacity:.28;stroke:var(--c);stroke-width:1.25}.median{stroke:var(--ink);stroke-width:2.25}
.outliers circle{fill:none;stroke:var(--c);stroke-opacity:.7}.repetitions line{stroke:var(--dim);stroke-width:1.25}.published path{fill:var(--card);stroke:var(--ink);stroke-width:1.5}
.axis text{fill:var(--dim);font-size:11.5px}
.plot{min-width:0;border-radius:4px}.plot>svg{--plot-background:var(--card);display:block;height:auto;max-width:100%;overflow:visible}.plot>svg text{white-space:pre}.plot output{display:block;min-height:1.3em;font-size:.75rem;color:var(--dim);white-space:pre-line}
.scroll{overflow-x:auto}
.figures th,.figures td{padding:.35rem .6rem .35rem 0;border-bottom:1px solid var(--grid);white-space:nowrap}.figures tbody th{vertical-align:top;font-weight:500;color:var(--dim);padding-right:1rem}.figures thead th{border-bottom-color:var(--line)}.figures td small:not(.line){margin-left:.2rem}.figures tbody th small{display:block}.figures .proof th small{display:inline}
.drawing.figures td{white-space:normal;min-width:6.4rem}.drawing.figures td>b,.drawing.figures .line{overflow-wrap:anywhere}.drawing.figures .interval{margin-left:0;white-space:nowrap}.variants td:nth-child(2){white-space:normal;min-width:11rem}
.bad{color:var(--bad)}.share rect{fill:var(--grid)}.share .part{fill:var(--accent)}.share .full{fill:var(--bad)}
.price{display:flex;align-items:center;gap:.5rem;margin:.7rem 0;font-size:.8125rem;color:var(--dim);flex-wrap:wrap}#currency{width:4rem}
.calibration .fields,.decide .fields,.prove .fields,.prove .proofs,.variants .fields,.variants .scroll{margin-top:.6rem}.job-status{min-height:1.4em;font-size:.8125rem;margin-top:.4rem;overflow-wrap:anywhere}progress{accent-color:var(--accent);width:10rem}
.decided>ul{font-size:.8125rem;padding-left:1.1rem;margin:.6rem 0}.proofs .scroll+.scroll{margin-top:1rem}.proof .interval{display:inline}
.variants label{display:block;font-size:.8125rem;font-weight:600;margin:.8rem 0 .3rem}
footer{padding:0 1.25rem 1.5rem;color:var(--dim);font-size:.75rem;max-width:112rem;margin:0 auto}
#toast:empty{display:none}#toast{position:fixed;bottom:1rem;left:50%;translate:-50%;background:var(--ink);color:var(--bg);padding:.5rem 1rem;border-radius:8px;font-size:.8125rem;max-width:90vw;z-index:8}
@media (min-width:68.75rem){main{grid-template-columns:minmax(0,46fr) minmax(0,54fr);align-items:start}.left{position:sticky;top:4.4rem;max-height:calc(100vh - 5.4rem);overflow-y:auto}}
@media (max-width:40rem){body{font-size:14.5px}.bar{position:static;padding:.7rem .9rem;gap:.5rem}.bar-tools{width:100%}.bar-tools button{flex:1}main{padding:.75rem .6rem;gap:.75rem}section{padding:.85rem .8rem}.headline{font-size:1.12rem}}
@media print{@page{margin:12mm}:root{--bg:#fff}body{font-size:10pt}.bar{position:static;padding:0 0 .5rem}.bar-tools,.tools,.prove .fields,.calibration .fields,.decide .fields,.variants button,.editor,.inspector,#toast,.skip,.load input[type=range],button.link{display:none!important}main{display:block;padding:0}section{border:0;padding:.4rem 0;break-inside:auto}.left{position:static;max-height:none;overflow:visible}.canvas{max-height:none;overflow:visible;border:0}.chart-figure,tr{break-inside:avoid}.diagram{max-width:100%;height:auto}details{display:none}svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

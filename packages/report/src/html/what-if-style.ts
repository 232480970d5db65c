/** Style of sliders and of rows of boxes, in reports and on the page of the workshop. */
export const whatIfStyle = `input[type=range]{width:100%;min-height:1.6rem;padding:0;border:0;background:none;accent-color:var(--accent);margin:0}
.control input[type=number],.control select{font:inherit;font-size:.8125rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;min-height:2rem;padding:.2rem .65rem}
.control input[type=number]{width:6.2rem;font-variant-numeric:tabular-nums}
button.link{border:0;background:none;padding:0;min-height:1.5rem;font-size:.75rem;text-decoration:underline}
.controls-grid{display:grid;grid-template-columns:repeat(auto-fill,minmax(11rem,1fr));gap:.7rem 1.5rem;margin-top:.7rem}
.control-head{display:flex;justify-content:space-between;align-items:baseline;gap:.5rem;min-height:1.5rem;font-size:.8125rem;font-weight:600}
.control-value{display:flex;align-items:center;gap:.5rem}.unit{color:var(--dim);font-size:.75rem}.control select{width:100%}
.progress-text{color:var(--dim);font-size:.75rem;font-variant-numeric:tabular-nums}
.mark{display:inline-block;font-size:.6875rem;font-weight:600;border-radius:99px;padding:.05rem .55rem;white-space:nowrap;border:1px solid}
#what-if .mark{white-space:normal}.mark.simulated{color:var(--point);border-color:var(--point);border-style:dashed}.mark.measured{color:var(--good);border-color:var(--good)}
.boxes{table-layout:fixed}.boxes th:first-child{width:9.5rem;font-weight:500}.boxes thead th{color:var(--dim);font-weight:400;font-size:.75rem;padding:.15rem 0}
.boxes .number,.boxes thead th.number{width:7.4rem;text-align:right;padding:.3rem 0 .3rem .5rem;white-space:nowrap}.boxes tbody td,.boxes tbody th{vertical-align:middle}
.boxes small{color:var(--dim);font-size:.75rem;font-weight:400}.interval,.line{display:block}
.strip svg{display:block;overflow:hidden}.limit{padding:.45rem 0 .45rem .5rem;font-size:.8125rem;color:var(--dim)}.limit b{color:var(--bad)}
@media (max-width:40rem){.controls-grid{grid-template-columns:repeat(auto-fill,minmax(8.6rem,1fr));gap:.6rem 1rem}.control input[type=number]{width:5.2rem}
.boxes,.boxes tbody,.boxes thead,.boxes tfoot{display:block}.boxes tr{display:flex;flex-wrap:wrap;align-items:baseline;padding-top:.3rem}.boxes th:first-child{flex:1;width:auto}.boxes .number,.boxes thead th.number{width:6.4rem;flex:none}.boxes .strip,.boxes thead th:nth-child(2),.boxes .limit{flex:0 0 100%;order:1;padding-left:0}.boxes .axis-line td:not(.strip){display:none}}
`;

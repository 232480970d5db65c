/** Style of a drawn topology, in reports and on the page of the workshop. Both set the variables of its colours. */

/** CSS variables of one colour scheme. */
export const diagramColours = {
  light: '--point:#6b3fa0;--point-soft:#efe8f7;--gateway-box:#e4e7eb;--request:#c4510c;--active:#f1f5fa',
  dark: '--point:#c3a5f0;--point-soft:#32284a;--gateway-box:#39414a;--request:#f08c4f;--active:#20262d',
};

export const diagramStyle = `.canvas{overflow:auto;max-height:34rem;border:1px solid var(--line);border-radius:8px;background:var(--bg)}
.diagram{display:block;margin:0 auto;max-width:none;font-family:inherit}.diagram:has([role=button]){touch-action:pan-x pan-y}
.diagram text{font-size:12px;fill:var(--ink);pointer-events:none}.diagram text.small{font-size:10.5px}
.region>rect{fill:none;stroke:var(--line);stroke-dasharray:5 4}.region>text{fill:var(--dim);font-size:11px;letter-spacing:.06em;text-transform:uppercase}
.lane>rect{fill:var(--card);stroke:var(--line)}.lane>text{font-weight:600;font-size:12px}.lane.target>rect{stroke:var(--accent);stroke-width:2;fill:var(--active)}
.lane .count{font-size:28px;font-weight:600}.lane .counted{fill:var(--dim)}
.service>rect{fill:var(--soft);stroke:var(--dim);stroke-width:1}.service.alternative>rect{stroke-dasharray:4 3;fill:none}
.service[role=button]{cursor:grab;touch-action:none}.service[role=button]:hover>rect{stroke:var(--accent)}.service[aria-pressed=true]>rect{stroke:var(--accent);stroke-width:2;fill:var(--active)}
.service:focus{outline:none}.service:focus-visible>rect{stroke:var(--accent);stroke-width:3}.service.dragged{cursor:grabbing;opacity:.85}
.role>rect{fill:var(--point-soft);stroke:var(--point);stroke-width:1.25}.role>text{fill:var(--point);font-weight:600;font-size:11.5px}.role.sidecar>text{font-size:10px}
.role.gateway>rect{fill:var(--gateway-box);stroke:var(--dim)}.role.gateway>text{fill:var(--ink)}
.edge{fill:none;stroke:var(--dim);stroke-width:1.25;stroke-opacity:.75;marker-end:url(#arrow)}.edge.parallel{stroke-dasharray:5 3}.arrow{fill:var(--dim)}
.hop{stroke:var(--request);stroke-width:2.5;stroke-opacity:.8;fill:none}.travel-top{pointer-events:none}.request{fill:var(--request);stroke:var(--card);stroke-width:1.5}
.hop-text{min-height:1.4em;font-size:.8125rem;color:var(--dim);margin-top:.35rem;overflow-wrap:anywhere}`;

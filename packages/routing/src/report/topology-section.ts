/** The drawn topology: services on their nodes, enforcement points, and the hops of one request. */
import type { Drawing } from '@topo-bench/core/drawing';
import { drawnFigure, html, type Section, section } from '@topo-bench/report/html';

/** @param drawings by architecture */
export function topologySection(drawings: Readonly<Record<string, Drawing>>): Section[] {
  if (Object.keys(drawings).length === 0) return [];
  const figure = drawnFigure({
    ...{ title: 'Topology by architecture', name: 'topology', draw: 'diagram' },
    lead: 'A lane is a node, a row is a step of the flow, S is a sidecar. One request is sent that every rule allows. Of several sizes the largest of at most 120 services is drawn, and of several runs the first.',
    without: html`<p class="note">The drawing needs the page’s script.</p>`,
  });
  const where = 'Where services and enforcement points run, and the messages of one request between them.';
  return [section('topology', 'Topology', where, figure)];
}

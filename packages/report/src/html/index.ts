/** Components of the page. */
export * from './bar-strip.ts';
export * from './box-row.ts';
export * from './by-level.ts';
export * from './chart-figure.ts';
export * from './chart-table.ts';
export * from './data-table.ts';
export * from './facets.ts';
export * from './line-chart.ts';
export * from './page.ts';
export * from './palette.ts';
export * from './safe-html.ts';
export * from './section.ts';

/** Source connectors, and the launch of programs with an output stream in a process, container or pod. */
export * from './conversion/launch-conversion.ts';
export * from './conversion/launch-export.ts';
export type { LaunchedStream } from './conversion/launched-stream.ts';
export { rowsOfLines } from './conversion/record-lines.ts';
export * from './launch/launcher.ts';
export * from './launch/launchers.ts';
export * from './launch/require-whole.ts';
export type { AirbyteStream, ConfiguredCatalog } from './protocol/messages.ts';
export type { StoreName } from './stores/store-connector.ts';

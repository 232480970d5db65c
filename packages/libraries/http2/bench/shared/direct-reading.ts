/** Inner parts for benches of other packages, which import no inner file of this one. */
export { directServerOptions, readDirectly } from '../../src/direct-reading.ts';

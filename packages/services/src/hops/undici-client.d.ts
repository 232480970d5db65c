/** undici's client alone: the package's main module loads fetch, caches and WebSockets, four times as long to start. */
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici';

  export default Client;
}

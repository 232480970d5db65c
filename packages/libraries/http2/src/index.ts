/** HTTP/2 for bulk data: server, client and their streams. API reference: API.md */
export { Http2Client, type Http2ClientOptions } from './client.ts';
export type { BodySink } from './frame-parser.ts';
export type { Headers } from './headers.ts';
export { errorCodes } from './protocol.ts';
export { Http2Error, type Http2ErrorCode, type Message, readMessage } from './read-message.ts';
export { Http2Server, type Http2ServerOptions, type StreamHandler } from './server.ts';
export type { Http2Stream, StreamEvents, StreamReset } from './stream.ts';
export type { ClientTls, ServerTls } from './tls.ts';
export { largeWindows, type Windows } from './windows.ts';

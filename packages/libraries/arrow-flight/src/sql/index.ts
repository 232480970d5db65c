/** Flight SQL messages for servers and clients. API reference: API.md */
export { decodeSchemaMessage, encodeSchemaMessage } from '../protocol/schema-message.ts';
export { decodeSingleBytes, encodeSingleBytes } from '../protocol/small-messages.ts';
export { decodeSqlMessage, encodeSqlMessage, type SqlMessage } from './any.ts';
export {
  type CatalogueFilter,
  decodeCatalogueFilter,
  decodeInfoRequest,
  decodePreparedStatement,
  decodeQueryText,
  encodePreparedStatement,
  encodeQueryText,
  type PreparedStatement,
  type QueryText,
} from './messages.ts';

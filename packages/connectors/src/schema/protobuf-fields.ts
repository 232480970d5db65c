/** Field numbers of Airbyte's protobuf records, as in the sources of its Kotlin kit. */

/** `AirbyteMessageProtobuf`: a record, or another message as JSON. */
export const envelopeFields = { record: 1, json: 2 } as const;

/** `AirbyteRecordMessageProtobuf`. */
export const recordFields = { namespace: 1, name: 2, emittedAtMs: 3, data: 5 } as const;

/** `AirbyteValueProtobuf`: one field by type. */
export const valueFields = {
  boolean: 1,
  string: 2,
  integer: 3,
  bigInteger: 4,
  number: 5,
  bigDecimal: 6,
  date: 7,
  time: 9,
  timestampWithZone: 10,
  timestamp: 11,
  json: 12,
  isNull: 13,
} as const;

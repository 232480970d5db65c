/** Columns in and out of a service: Arrow over HTTP, and Arrow Flight as server and client. Each part is imported by path. */
export {};

/** The port of databases that the job writes to: how its client in Java reaches a heat map. */

export interface FlinkDatabase {
  /**
   * Address of a heat map for the client of the job, without user and password.
   * @param url connection string of the heat map
   * @throws TopoBenchError `TB_STORE_URL` for an address or option without a counterpart in Java
   */
  addressOf(url: string): string;
  loginOf(url: string): Login;
}

/** User of a database; may have no password. */
export interface Login {
  user: string;
  password: string;
}

/** Time that a database may take for a statement. Flink cannot interrupt a task that waits for an answer. */
export const answerLimitSeconds = 60;

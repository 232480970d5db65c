/** Repeats a transaction that the server has rolled back in favour of another one. */

const maxAttempts = 10;

/**
 * @param isRolledBack whether the error means that the server has undone the transaction
 * @throws the error of the last of `maxAttempts`, or any other error at once
 */
export async function retried(
  transaction: () => Promise<unknown>,
  isRolledBack: (error: unknown) => boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return void (await transaction());
    } catch (error) {
      if (!isRolledBack(error) || attempt === maxAttempts) throw error;
    }
  }
}

package dev.topobench.flink;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.Transaction;

/**
 * A heat map in Redis: four keys. A script adds rows and saves their checkpoint, and only for the owner of the
 * partition. Rows of several scripts are one transaction, in which the owner cannot change. Redis does not undo those
 * that ran before one that failed, as at the limit of its memory.
 */
final class RedisHeatMap implements HeatMap {
  /** Place among the keys. */
  static final int CHECKPOINTS = 2;
  static final int OWNERS = 3;

  /**
   * The script of the embedded engine. Keys: crossings, times, checkpoints, owners. Arguments: partition, position,
   * state and owner of a checkpoint, all empty without one; then cell, crossings and event time of each row.
   */
  private static final String ADD =
      String.join(
          "\n",
          "if ARGV[4] ~= '' and redis.call('HGET', KEYS[4], ARGV[1]) ~= ARGV[4] then return 0 end",
          "for i = 5, #ARGV, 3 do",
          "  redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])",
          "  redis.call('ZADD', KEYS[2], 'GT', ARGV[i + 2], ARGV[i])",
          "end",
          "if ARGV[1] ~= '' then redis.call('HSET', KEYS[3], ARGV[1], ARGV[2] .. ' ' .. ARGV[3]) end",
          "return 1");

  /** Keys: checkpoints, owners. Argument: partition. Returns the new owner and the checkpoint. */
  private static final String CLAIM =
      "return { redis.call('HINCRBY', KEYS[2], ARGV[1], 1), redis.call('HGET', KEYS[1], ARGV[1]) }";

  private static final List<String> NO_CHECKPOINT = List.of("", "", "", "");

  private final Jedis client;
  private final List<String> keys;
  private final String partition;
  private final int rowsPerWrite;
  /** Digest of the script, which the server keeps. */
  private final String add;
  private final String owner;
  private final long committed;

  RedisHeatMap(Jedis client, String prefix, int partition, int rowsPerWrite) {
    this.client = client;
    this.partition = String.valueOf(partition);
    this.rowsPerWrite = rowsPerWrite;
    keys = keysOf(prefix);
    add = client.scriptLoad(ADD);
    List<String> ofClaim = List.of(keys.get(CHECKPOINTS), keys.get(OWNERS));
    List<?> claimed = (List<?>) client.eval(CLAIM, ofClaim, List.of(this.partition));
    owner = String.valueOf(claimed.get(0));
    committed = claimed.get(1) == null ? 0 : positionOf(String.valueOf(claimed.get(1)));
  }

  static List<String> keysOf(String prefix) {
    return List.of(prefix + ":crossings", prefix + ":times", prefix + ":checkpoints", prefix + ":owners");
  }

  /** A saved checkpoint is its number, a blank, and a state. */
  private static long positionOf(String saved) {
    return Long.parseLong(saved.substring(0, saved.indexOf(' ')));
  }

  @Override
  public long committed() {
    return committed;
  }

  @Override
  public void add(Sums sums) {
    transaction(sums, NO_CHECKPOINT);
  }

  @Override
  public void add(Sums sums, long checkpoint) {
    transaction(sums, List.of(partition, String.valueOf(checkpoint), "", owner));
  }

  private void transaction(Sums sums, List<String> checkpoint) {
    Iterator<Map.Entry<Long, Sums.Row>> rows = sums.rows.entrySet().iterator();
    List<Object> answers;
    try (Transaction transaction = client.multi()) {
      // Without rows too, a checkpoint is saved.
      do transaction.evalsha(add, keys, argumentsOf(checkpoint, rows));
      while (rows.hasNext());
      answers = transaction.exec();
    }
    for (Object answer : answers) {
      if (answer instanceof RuntimeException) throw (RuntimeException) answer;
      if (((Long) answer) == 0) throw new IllegalStateException("another attempt has claimed partition " + partition);
    }
  }

  private List<String> argumentsOf(List<String> checkpoint, Iterator<Map.Entry<Long, Sums.Row>> rows) {
    List<String> arguments = new ArrayList<>(checkpoint);
    for (int count = 0; count < rowsPerWrite && rows.hasNext(); count++) {
      Map.Entry<Long, Sums.Row> next = rows.next();
      arguments.add(String.valueOf(next.getKey()));
      arguments.add(String.valueOf(next.getValue().crossings));
      arguments.add(String.valueOf(next.getValue().timeMs));
    }
    return arguments;
  }

  @Override
  public void close() {
    client.close();
  }
}

package dev.topobench.flink;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.Document;

/**
 * A heat map on a server with the MongoDB protocol: a collection of cells, and one of checkpoints. Rows and their
 * checkpoint are one transaction, which the driver repeats when the server has aborted it in favour of another one.
 */
final class MongodbHeatMap implements HeatMap {
  static final String CHECKPOINTS = "checkpoints";
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);
  private static final FindOneAndUpdateOptions CLAIM =
      new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);

  private final MongoClient client;
  private final MongoCollection<Document> cells;
  private final MongoCollection<Document> checkpoints;
  private final int partition;
  private final int rowsPerWrite;
  private final Number owner;
  private final long committed;

  /** @param name database of the heat map */
  MongodbHeatMap(MongoClient client, String name, int partition, int rowsPerWrite) {
    this.client = client;
    this.partition = partition;
    this.rowsPerWrite = rowsPerWrite;
    MongoDatabase database = client.getDatabase(name);
    cells = database.getCollection("heat_map");
    checkpoints = database.getCollection(CHECKPOINTS);
    Document claimed = checkpoints.findOneAndUpdate(Filters.eq(partition), Updates.inc("owner", 1), CLAIM);
    owner = claimed.get("owner", Number.class);
    Number position = claimed.get("position", Number.class);
    committed = position == null ? 0 : position.longValue();
  }

  @Override
  public long committed() {
    return committed;
  }

  @Override
  public void add(Sums sums) {
    inBatches(sums, updates -> cells.bulkWrite(updates, UNORDERED));
  }

  @Override
  public void add(Sums sums, long checkpoint) {
    try (ClientSession session = client.startSession()) {
      session.withTransaction(
          () -> {
            // First, so that an attempt without ownership does no other work.
            save(session, checkpoint);
            inBatches(sums, updates -> cells.bulkWrite(session, updates));
            return sums.size();
          });
    }
  }

  @Override
  public void close() {
    client.close();
  }

  private void save(ClientSession session, long checkpoint) {
    long matched =
        checkpoints
            .updateOne(
                session,
                Filters.and(Filters.eq(partition), Filters.eq("owner", owner)),
                Updates.combine(Updates.set("position", checkpoint), Updates.set("state", "")))
            .getMatchedCount();
    if (matched == 0) throw new IllegalStateException("another attempt has claimed partition " + partition);
  }

  private void inBatches(Sums sums, Consumer<List<UpdateOneModel<Document>>> write) {
    Iterator<Map.Entry<Long, Sums.Row>> rows = sums.rows.entrySet().iterator();
    while (rows.hasNext()) {
      List<UpdateOneModel<Document>> updates = new ArrayList<>();
      while (updates.size() < rowsPerWrite && rows.hasNext()) updates.add(update(rows.next()));
      write.accept(updates);
    }
  }

  private static UpdateOneModel<Document> update(Map.Entry<Long, Sums.Row> row) {
    Sums.Row sum = row.getValue();
    return new UpdateOneModel<>(
        Filters.eq(number(row.getKey())),
        Updates.combine(Updates.inc("crossings", number(sum.crossings)), Updates.max("timeMs", number(sum.timeMs))),
        UPSERT);
  }

  /** The type that the driver of the embedded engine writes: 32 bits, or else a double, exact up to 53 bits. */
  private static Number number(long value) {
    if (value == (int) value) return (int) value;
    return (double) value;
  }
}

package dev.topobench.flink;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.PrimitiveArrayTypeInfo;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The sink: crossings are summed by cell and added to the heat map.
 *
 * <p>At least once, it writes when {@code rowsPerWrite} rows are collected, 10 ms after the last write, and before each
 * checkpoint. Exactly once, rows belong to the next checkpoint. They are in its state, and are written when it is
 * complete, in one transaction with its number. A restored job writes the rows of its checkpoint unless the heat map
 * has this number already. The rows after the last checkpoint are written with the mark {@link HeatMap#ENDED}, and a
 * restarted job that finds it adds nothing.
 */
final class HeatMapSink extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<Tuple4<Long, Long, Long, Long>, Void>, BoundedOneInput {
  private static final long serialVersionUID = 1;
  private static final long LINGER_MS = 10;

  /** Rows that wait for the end of their checkpoint. */
  private static final class Pending {
    final long checkpoint;
    final Sums sums;

    Pending(long checkpoint, Sums sums) {
      this.checkpoint = checkpoint;
      this.sums = sums;
    }
  }

  private final JobSettings settings;
  private transient HeatMap heatMap;
  private transient ListState<byte[]> saved;
  private transient Deque<Pending> pending;
  private transient Sums collected;
  private transient boolean isEnded;
  private transient long lastWriteUs;
  private transient SinkFigures figures;

  HeatMapSink(JobSettings settings) {
    this.settings = settings;
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    saved =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>("rows", PrimitiveArrayTypeInfo.BYTE_PRIMITIVE_ARRAY_TYPE_INFO));
    pending = new ArrayDeque<>();
    for (byte[] rows : saved.get()) pending.add(new Pending(Sums.checkpointOf(rows), Sums.decoded(rows)));
  }

  @Override
  public void open() throws Exception {
    super.open();
    figures = new SinkFigures(getRuntimeContext());
    collected = new Sums();
    int partition = getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    heatMap = Database.of(settings).open(partition, settings.rowsPerWrite);
    isEnded = heatMap.committed() == HeatMap.ENDED;
    if (isEnded) pending.clear();
    // The checkpoint of the restored state is complete.
    while (!pending.isEmpty()) {
      Pending first = pending.remove();
      if (first.checkpoint > heatMap.committed()) write(first.sums, first.checkpoint);
    }
    if (!settings.isExactlyOnce) scheduleWrite();
  }

  @Override
  public void processElement(StreamRecord<Tuple4<Long, Long, Long, Long>> element) throws Exception {
    if (isEnded) return;
    Tuple4<Long, Long, Long, Long> crossing = element.getValue();
    figures.received();
    collected.add(crossing.f0, crossing.f1, crossing.f2, crossing.f3);
    if (!settings.isExactlyOnce && collected.size() >= settings.rowsPerWrite) writeCollected();
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    if (!settings.isExactlyOnce) {
      writeCollected();
      return;
    }
    if (collected.size() > 0) pending.add(new Pending(context.getCheckpointId(), collected));
    collected = new Sums();
    List<byte[]> rows = new ArrayList<>();
    for (Pending one : pending) rows.add(one.sums.encoded(one.checkpoint));
    saved.update(rows);
  }

  @Override
  public void notifyCheckpointComplete(long checkpoint) throws Exception {
    super.notifyCheckpointComplete(checkpoint);
    while (!pending.isEmpty() && pending.peek().checkpoint <= checkpoint) {
      Pending first = pending.remove();
      write(first.sums, first.checkpoint);
    }
  }

  @Override
  public void endInput() throws Exception {
    if (isEnded) return;
    if (settings.isExactlyOnce) {
      for (Pending one : pending) {
        one.sums.rows.forEach((cell, row) -> collected.add(cell, row.crossings, row.timeMs, row.createdUs));
      }
      pending.clear();
      write(collected, HeatMap.ENDED);
      collected = new Sums();
    } else writeCollected();
    isEnded = true;
  }

  @Override
  public void finish() throws Exception {
    super.finish();
    figures.finish();
  }

  @Override
  public void close() throws Exception {
    if (heatMap != null) heatMap.close();
    super.close();
  }

  private void scheduleWrite() {
    long atMs = getProcessingTimeService().getCurrentProcessingTime() + LINGER_MS;
    getProcessingTimeService().registerTimer(atMs, time -> writeAfterLinger());
  }

  private void writeAfterLinger() throws Exception {
    if (isEnded) return;
    if (Clock.nowUs() - lastWriteUs >= LINGER_MS * 1000) writeCollected();
    scheduleWrite();
  }

  private void writeCollected() throws Exception {
    if (collected.size() == 0) return;
    write(collected, 0);
    collected = new Sums();
  }

  private void write(Sums sums, long checkpoint) throws Exception {
    long startUs = Clock.nowUs();
    if (checkpoint == 0) heatMap.add(sums);
    else heatMap.add(sums, checkpoint);
    lastWriteUs = Clock.nowUs();
    figures.written(sums, startUs, lastWriteUs);
  }
}

package dev.topobench.flink;

import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.accumulators.LongMinimum;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * The source: positions become points, at their intended times if the job is paced. It emits a watermark whenever a
 * window is complete, so that the order of the points alone decides which are late. Flink does not restore watermarks:
 * the latest event time is in the state of this operator.
 *
 * <p>Points are tuples of latitude, longitude, event time in ms, and instant of creation in µs.
 */
final class PointsOperator extends AbstractStreamOperator<Tuple4<Double, Double, Long, Long>>
    implements OneInputStreamOperator<Long, Tuple4<Double, Double, Long, Long>> {
  private static final long serialVersionUID = 1;

  /** The lag of a paced source is reported for this many points. */
  private static final long LAGS = 600;

  private final JobSettings settings;
  private transient double[] latitudes;
  private transient double[] longitudes;
  private transient double[] timesMs;
  private transient ListState<Long> latest;
  private transient long latestMs;
  private transient long watermarkMs;
  private transient long firstPosition;
  private transient long startUs;
  private transient LongCounter events;
  private transient LongMinimum started;
  private transient TenthCount source;
  private transient TenthCount keyBy;
  private transient Tally lags;
  private transient ProcessUse use;

  PointsOperator(JobSettings settings) {
    this.settings = settings;
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    latest = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("latest event time", Types.LONG));
    latestMs = Long.MIN_VALUE;
    for (long restored : latest.get()) latestMs = Math.max(latestMs, restored);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    latest.update(List.of(latestMs));
  }

  @Override
  public void open() throws Exception {
    super.open();
    int count = Math.toIntExact(settings.points);
    latitudes = Resources.column("latitudes", count);
    longitudes = Resources.column("longitudes", count);
    timesMs = Resources.column("timesMs", count);
    firstPosition = -1;
    watermarkMs = Long.MIN_VALUE;
    events = new LongCounter();
    started = new LongMinimum();
    lags = new Tally();
    getRuntimeContext().addAccumulator("events", events);
    getRuntimeContext().addAccumulator("startUs", started);
    getRuntimeContext().addAccumulator("lag", lags);
    source = tenthsOf("source");
    keyBy = tenthsOf("keyBy");
    use = new ProcessUse(getRuntimeContext());
    // The time of the job starts with its first point.
    Claims.await(Database.of(settings), settings.partitions);
  }

  private TenthCount tenthsOf(String operator) {
    Tally tally = new Tally();
    getRuntimeContext().addAccumulator(operator, tally);
    return new TenthCount(tally);
  }

  @Override
  public void processElement(StreamRecord<Long> element) throws Exception {
    long position = element.getValue();
    int at = (int) position;
    if (firstPosition < 0) start(position);
    long nowUs = Clock.nowUs();
    long createdUs = nowUs;
    if (settings.ratePerSecond > 0) {
      createdUs = dueUs(position);
      nowUs = waitUntil(createdUs, nowUs);
      if (position % Math.max(1, settings.points / LAGS) == 0) lags.add(position, nowUs - createdUs);
    }
    long timeMs = (long) timesMs[at];
    events.add(1L);
    source.add(nowUs, 1);
    output.collect(new StreamRecord<>(Tuple4.of(latitudes[at], longitudes[at], timeMs, createdUs), timeMs));
    // The map to cells is chained to this operator: one reading of the clock is for both.
    keyBy.add(nowUs, 1);
    if (timeMs <= latestMs) return;
    latestMs = timeMs;
    advanceWatermark();
  }

  private void start(long position) {
    firstPosition = position;
    // The restored watermark goes before the points.
    advanceWatermark();
    startUs = Clock.nowUs();
    started.add(startUs);
    use.start();
  }

  @Override
  public void finish() throws Exception {
    super.finish();
    source.finish();
    keyBy.finish();
    use.finish();
  }

  /** Intended time of a point. A resumed job starts its schedule with its first point. */
  private long dueUs(long position) {
    return startUs + (long) ((position - firstPosition) * 1e6 / settings.ratePerSecond);
  }

  /** @return the time after the wait */
  private static long waitUntil(long dueUs, long nowUs) throws InterruptedException {
    long us = nowUs;
    for (; us < dueUs; us = Clock.nowUs()) {
      long waitUs = dueUs - us;
      Thread.sleep(waitUs / 1000, (int) (waitUs % 1000) * 1000);
    }
    return us;
  }

  /** The watermark moves from the end of a window to the next one: nothing happens between them. */
  private void advanceWatermark() {
    if (settings.windowMs == 0 || latestMs == Long.MIN_VALUE) return;
    long completeMs = Math.floorDiv(latestMs - settings.outOfOrderMs, settings.windowMs) * settings.windowMs;
    if (completeMs <= watermarkMs) return;
    watermarkMs = completeMs;
    output.emitWatermark(new Watermark(completeMs - 1));
  }
}

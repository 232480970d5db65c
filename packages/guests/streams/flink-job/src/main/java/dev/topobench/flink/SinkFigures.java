package dev.topobench.flink;

import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.accumulators.LongMaximum;
import org.apache.flink.api.common.functions.RuntimeContext;

/** What the sink measures, as accumulators of the job: Flink adds up those of all instances. */
final class SinkFigures {
  private final LongCounter rows = new LongCounter();
  private final LongCounter writes = new LongCounter();
  private final LongMaximum endUs = new LongMaximum();
  private final LongMaximum attempt = new LongMaximum();
  private final Tally endToEnd = new Tally();
  private final Tally storeAccess = new Tally();
  private final Tally aggregate = new Tally();
  private final Tally sink = new Tally();
  private final TenthCount received = new TenthCount(aggregate);
  private final TenthCount acknowledged = new TenthCount(sink);
  private final ProcessUse use;

  SinkFigures(RuntimeContext context) {
    context.addAccumulator("rows", rows);
    context.addAccumulator("writes", writes);
    context.addAccumulator("endUs", endUs);
    context.addAccumulator("attempt", attempt);
    context.addAccumulator("endToEnd", endToEnd);
    context.addAccumulator("storeAccess", storeAccess);
    context.addAccumulator("aggregate", aggregate);
    context.addAccumulator("sink", sink);
    use = new ProcessUse(context);
    attempt.add(context.getTaskInfo().getAttemptNumber());
  }

  void received() {
    use.start();
    received.add(Clock.nowUs(), 1);
  }

  void written(Sums sums, long startUs, long nowUs) {
    if (sums.size() == 0) return;
    rows.add(sums.size());
    writes.add(1L);
    endUs.add(nowUs);
    storeAccess.add(Tally.bucketOf(nowUs - startUs), 1);
    acknowledged.add(nowUs, sums.size());
    for (Sums.Row row : sums.rows.values()) endToEnd.add(Tally.bucketOf(nowUs - row.createdUs), 1);
    use.update();
  }

  void finish() {
    received.finish();
    acknowledged.finish();
    use.finish();
  }
}

package dev.topobench.flink;

import java.util.List;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** Counts points behind their window. A restarted job continues from the count of its checkpoint. */
final class LateOperator extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<Tuple4<Long, Long, Long, Long>, Void> {
  private static final long serialVersionUID = 1;
  private transient ListState<Long> saved;
  private transient LongCounter late;

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    late = new LongCounter();
    saved = context.getOperatorStateStore().getListState(new ListStateDescriptor<>("late points", Types.LONG));
    for (long before : saved.get()) late.add(before);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    saved.update(List.of(late.getLocalValue()));
  }

  @Override
  public void open() throws Exception {
    super.open();
    getRuntimeContext().addAccumulator("late", late);
  }

  @Override
  public void processElement(StreamRecord<Tuple4<Long, Long, Long, Long>> element) {
    late.add(1L);
  }
}

package dev.topobench.flink;

import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.java.tuple.Tuple4;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.CheckpointingMode;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.KeyedStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.windowing.assigners.TumblingEventTimeWindows;
import org.apache.flink.util.OutputTag;

/**
 * Heat-map generation: GPS points → geohash cell → sum of crossings per cell, with or without tumbling windows of event
 * time → heat map in a database. The same job as that of the embedded engine of topo-bench.
 *
 * <p>Crossings are tuples of cell, number, latest event time in ms, and instant of creation in µs.
 */
public final class HeatMapJob {
  private static final TypeInformation<Tuple4<Long, Long, Long, Long>> CROSSINGS =
      TypeInformation.of(new TypeHint<Tuple4<Long, Long, Long, Long>>() {});
  private static final TypeInformation<Tuple4<Double, Double, Long, Long>> POINTS =
      TypeInformation.of(new TypeHint<Tuple4<Double, Double, Long, Long>>() {});

  private HeatMapJob() {}

  public static void main(String[] arguments) throws Exception {
    JobSettings settings = JobSettings.of(arguments);
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.getExecutionEnvironment(configurationOf(settings));
    environment.enableCheckpointing(
        settings.checkpointEveryMs,
        settings.isExactlyOnce ? CheckpointingMode.EXACTLY_ONCE : CheckpointingMode.AT_LEAST_ONCE);
    environment.setParallelism(settings.partitions);

    // One source: the order of the points decides which are late.
    KeyedStream<Tuple4<Long, Long, Long, Long>, Long> byCell =
        environment
            .fromSource(new NumberSequenceSource(0, settings.points - 1), WatermarkStrategy.noWatermarks(), "positions")
            .setParallelism(1)
            .transform("points", POINTS, new PointsOperator(settings))
            .setParallelism(1)
            .map(new CellOfPoint(settings.cellLength))
            .returns(CROSSINGS)
            .name("cells")
            .setParallelism(1)
            .keyBy(crossing -> crossing.f0, Types.LONG);

    sums(byCell, settings).transform("heat map", Types.VOID, new HeatMapSink(settings)).name("heat map");
    environment.executeAsync("topo-bench heat map");
  }

  private static DataStream<Tuple4<Long, Long, Long, Long>> sums(
      KeyedStream<Tuple4<Long, Long, Long, Long>, Long> byCell, JobSettings settings) {
    if (settings.windowMs == 0) return byCell;
    OutputTag<Tuple4<Long, Long, Long, Long>> late = new OutputTag<>("late", CROSSINGS);
    SingleOutputStreamOperator<Tuple4<Long, Long, Long, Long>> sums =
        byCell
            .window(TumblingEventTimeWindows.of(Duration.ofMillis(settings.windowMs)))
            .sideOutputLateData(late)
            .reduce(HeatMapJob::merged)
            .name("windows");
    sums.getSideOutput(late).transform("late points", Types.VOID, new LateOperator());
    return sums;
  }

  private static Tuple4<Long, Long, Long, Long> merged(
      Tuple4<Long, Long, Long, Long> one, Tuple4<Long, Long, Long, Long> other) {
    return Tuple4.of(one.f0, one.f1 + other.f1, Math.max(one.f2, other.f2), Math.min(one.f3, other.f3));
  }

  private static Configuration configurationOf(JobSettings settings) {
    Configuration configuration = new Configuration();
    configuration.setString("restart-strategy.type", settings.restarts == 0 ? "none" : "fixed-delay");
    configuration.setString("restart-strategy.fixed-delay.attempts", String.valueOf(settings.restarts));
    configuration.setString("restart-strategy.fixed-delay.delay", "100 ms");
    return configuration;
  }

  /** The map operator: each point is one crossing of its cell. */
  private static final class CellOfPoint
      implements MapFunction<Tuple4<Double, Double, Long, Long>, Tuple4<Long, Long, Long, Long>> {
    private final Geohash geohash;

    CellOfPoint(int cellLength) {
      geohash = new Geohash(cellLength);
    }

    @Override
    public Tuple4<Long, Long, Long, Long> map(Tuple4<Double, Double, Long, Long> point) {
      return Tuple4.of(geohash.cell(point.f0, point.f1), 1L, point.f2, point.f3);
    }
  }
}

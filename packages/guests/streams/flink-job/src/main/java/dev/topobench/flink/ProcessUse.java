package dev.topobench.flink;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.common.accumulators.LongMaximum;
import org.apache.flink.api.common.accumulators.LongMinimum;
import org.apache.flink.api.common.functions.RuntimeContext;

/**
 * CPU time and memory of the process of an operator, a task manager: from its first element to its last
 * acknowledgement. Operators in one process share the figures: the earliest start and the latest end count.
 */
final class ProcessUse {
  private static final Path STATUS = Path.of("/proc/self/status");
  private final LongMinimum cpuStart = new LongMinimum();
  private final LongMaximum cpuEnd = new LongMaximum();
  private final LongMaximum memory = new LongMaximum();
  private boolean isStarted;

  ProcessUse(RuntimeContext context) {
    // The operator is part of the name: accumulators of one name must not be added twice in a task.
    String process = ManagementFactory.getRuntimeMXBean().getName();
    String suffix = ":" + process + ":" + context.getTaskInfo().getTaskName() + ":" + System.identityHashCode(this);
    context.addAccumulator("cpuStartUs" + suffix, cpuStart);
    context.addAccumulator("cpuEndUs" + suffix, cpuEnd);
    context.addAccumulator("memoryBytes" + suffix, memory);
  }

  void start() {
    if (isStarted) return;
    isStarted = true;
    cpuStart.add(cpuUs());
  }

  void update() {
    start();
    cpuEnd.add(cpuUs());
  }

  /** Called once, after the last element: the kernel keeps the peak. */
  void finish() {
    memory.add(memoryBytes());
  }

  private static long cpuUs() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1000;
  }

  /** Peak of the resident memory on Linux, and the memory of the JVM elsewhere. */
  private static long memoryBytes() {
    try {
      for (String line : Files.readAllLines(STATUS)) {
        if (line.startsWith("VmHWM:")) return Long.parseLong(line.replaceAll("[^0-9]", "")) * 1024;
      }
    } catch (IOException | NumberFormatException error) {
      // Another system.
    }
    return Runtime.getRuntime().totalMemory();
  }
}

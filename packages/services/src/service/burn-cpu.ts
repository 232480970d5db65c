/** Work as CPU time: spins until this thread has used a given amount, however often the system interrupts it. */

// About 1 µs of arithmetic between two clock readings, which take another µs.
const iterationsPerReading = 500;

let sink = 1;

/**
 * The system's CPU clock covers the whole process, including the garbage collector and compiler threads, and advances
 * in steps of milliseconds. This thread cannot use more than the elapsed time, so each step is capped at that.
 * @param us CPU time (user + system), resolution about 2 µs
 */
export function burnCpu(us: number): void {
  let usedUs = 0;
  let lastCpuUs = cpuUs();
  let lastUs = performance.now() * 1e3;
  while (usedUs < us) {
    for (let i = 0; i < iterationsPerReading; i++) sink = (Math.imul(sink, 1_664_525) + 1_013_904_223) | 0;
    const nowCpuUs = cpuUs();
    // A coarse clock does not advance for a while; its next step then covers that time.
    if (nowCpuUs === lastCpuUs) continue;
    const nowUs = performance.now() * 1e3;
    usedUs += Math.min(nowCpuUs - lastCpuUs, nowUs - lastUs);
    lastCpuUs = nowCpuUs;
    lastUs = nowUs;
  }
}

function cpuUs(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

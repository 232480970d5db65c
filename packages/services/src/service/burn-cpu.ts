/** Work as processor time: spins until this thread has used that much, however often the system interrupts it. */

// About a µs of arithmetic between two readings of the clocks, which cost another.
const iterationsPerReading = 500;

let sink = 1;

/**
 * The system's clock counts the process as a whole, garbage collector and compiler on other threads included, and their
 * time arrives in lumps of milliseconds. This thread cannot have used more than has passed, so no more is counted.
 * @param us of processor time (user + system), resolution about 2 µs
 */
export function burnCpu(us: number): void {
  let usedUs = 0;
  let lastCpuUs = cpuUs();
  let lastUs = performance.now() * 1e3;
  while (usedUs < us) {
    for (let i = 0; i < iterationsPerReading; i++) sink = (Math.imul(sink, 1_664_525) + 1_013_904_223) | 0;
    const nowCpuUs = cpuUs();
    // Where the clock is coarse it stands still for a while: what has passed then is counted from its last step.
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

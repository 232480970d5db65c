/** Work as processor time: spins until the process itself has used that much, however often the system interrupts it. */

// A few µs of arithmetic between two readings of the clock, which cost 1 µs each.
const iterationsPerReading = 1500;

let sink = 1;

/** @param us of the process's own CPU clock (user + system), resolution about 3 µs */
export function burnCpu(us: number): void {
  if (us <= 0) return;
  const start = process.cpuUsage();
  const endUs = start.user + start.system + us;
  for (;;) {
    for (let i = 0; i < iterationsPerReading; i++) sink = (Math.imul(sink, 1_664_525) + 1_013_904_223) | 0;
    const { user, system } = process.cpuUsage();
    if (user + system >= endUs) return;
  }
}

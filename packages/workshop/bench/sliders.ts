/**
 * `npm run bench:workshop [-- --moves 40 --services 24 --json]`: the time from a move of a slider until the frame that
 * has its answer, in Chromium, on the built page. The rate needs new replications; the number of rules also other
 * graphs and engines; a drag is a move every 20 ms, timed from the last one.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { quantileOfSorted } from '@topo-bench/stats';
import { chromium, type Page } from 'playwright-core';

const { values: flags } = parseArgs({
  options: {
    moves: { type: 'string', default: '40' },
    services: { type: 'string', default: '24' },
    json: { type: 'boolean', default: false },
  },
});
const moves = Number(flags.moves);
const folder = mkdtempSync(join(tmpdir(), 'topo-bench-sliders-'));
const topology = join(folder, 'chain.yaml');
writeFileSync(
  topology,
  `apiVersion: topo-bench/v1
kind: Topology
name: chain
nodes: [{ name: eu-1, region: eu }, { name: eu-2, region: eu }, { name: us-1, region: us }]
links: [{ from: eu, to: us, delay: 10ms }]
defaults: { work: 100us, rules: { generate: 5 } }
services: [{ generate: ${flags.services} }]
`,
);
/** Performed by the page: the first `drawn` mark after the last move is that of its answer. */
const timed = `async ([label, positions]) => {
  const slider = document.querySelector('[aria-label="' + label + '"]');
  const drawn = () => performance.getEntriesByName('drawn').map(({ startTime }) => startTime);
  performance.clearMarks('drawn');
  const begin = performance.now();
  let movedAt;
  for (const [at, position] of positions.entries()) {
    if (at > 0) await new Promise((resolve) => setTimeout(resolve, 16));
    slider.value = position;
    movedAt = performance.now();
    slider.dispatchEvent(new Event('input', { bubbles: true }));
  }
  await new Promise((resolve) => {
    // A drag is followed by answers to earlier moves.
    const isLast = () => document.querySelector('.headline').textContent.startsWith('At ' + document.querySelector('#set-rate').value + ' req');
    const frame = () => requestAnimationFrame(drawn().some((time) => time > movedAt) && isLast() ? resolve : frame);
    requestAnimationFrame(frame);
  });
  const time = performance.now() - movedAt;
  const instants = [begin, ...drawn()];
  return { time, gap: Math.max(...instants.slice(1).map((one, at) => one - instants[at])) };
}`;

const program = fileURLToPath(new URL('../../cli/bin/topo-bench.js', import.meta.url));
const server = spawn(process.execPath, [program, 'workshop', topology, '--no-open'], { stdio: ['ignore', 'pipe', 2] });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(await addressOf(server.stdout as Readable));
  await settled(page);
  const drag = await movesOf(page, 'Rate, slider', 30);
  const found = {
    rate: (await movesOf(page, 'Rate, slider', 1)).times,
    rules: (await movesOf(page, 'Rules per service, slider', 1)).times,
    drag: drag.times,
    'gap in a drag': drag.gaps,
  };
  if (flags.json) console.log(JSON.stringify(found));
  else {
    for (const [name, times] of Object.entries(found)) {
      const [median, p95] = [0.5, 0.95].map((q) => quantileOfSorted(times, q).toFixed(0));
      console.log(
        `${name.padEnd(13)} ${times.length} moves, ${flags.services} services: median ${median} ms, p95 ${p95} ms`,
      );
    }
  }
} finally {
  await browser.close();
  server.kill();
  rmSync(folder, { recursive: true, force: true });
}

async function addressOf(stdout: Readable): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const [, url] = /^workshop: (http\S+)$/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error('the workshop has ended');
}

/** The page allows no code from texts, so the condition is polled here. */
async function settled(page: Page): Promise<void> {
  const rest = page.locator('.drawing.figures td', { hasText: '…' });
  for (;;) {
    const text = (await page.locator('.progress-text').textContent()) ?? '';
    if (text.startsWith('8 replications') && (await rest.count()) === 0) return;
    await setTimeout(50);
  }
}

/** @param steps inputs of a move; @returns ascending, ms */
async function movesOf(page: Page, label: string, steps: number): Promise<{ times: number[]; gaps: number[] }> {
  const found: { time: number; gap: number }[] = [];
  for (let move = 0; move < moves; move++) {
    // Low enough that every architecture keeps up.
    const positions = Array.from({ length: steps }, (_, step) => 100 + ((move * 37 + step * 3) % 200));
    found.push(await page.evaluate(`(${timed})(${JSON.stringify([label, positions])})`));
    // The other replications end before the next move, as they do for a group that reads them.
    await settled(page);
  }
  const ascending = (values: number[]) => values.sort((a, b) => a - b);
  return { times: ascending(found.map(({ time }) => time)), gaps: ascending(found.map(({ gap }) => gap)) };
}

/**
 * The report of a million equity points and a hundred thousand fills: making it, its size, and in headless Chromium opening
 * it, hovering over it and zooming into it. Without a Chromium only the first two.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { renderReport } from '../src/research/report/render.ts';
import { findChromium, launch, open } from '../test/research/report/browser.ts';
import { largeResult } from '../test/research/report/large-result.ts';
import { print, race, seconds, spread } from './harness.ts';

const FRAMES = 60;

interface Frames {
  readonly times: readonly number[];
  /** How often the curve was drawn anew. */
  readonly changes: number;
}

export async function reportBench(): Promise<void> {
  const result = largeResult();
  let html = '';
  const made = await race([
    { name: 'make the page', run: async () => (await seconds(() => void (html = renderReport(result)))) * 1000 },
  ]);
  print(`Report of ${result.equity.length} points and ${result.fills.length} fills`, 'ms', made);
  console.log(`  size ${(html.length / 1e6).toFixed(2)} MB`);
  const path = findChromium();
  if (path === undefined) {
    console.log('  no Chromium here: frames are not measured');
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  const file = join(folder, 'report.html');
  writeFileSync(file, html);
  const browser = await launch(path);
  try {
    const before = performance.now();
    const { page } = await open(browser, file, 1280, 'light');
    console.log(`  opened and drawn in ${Math.round(performance.now() - before)} ms`);
    for (const [name, step] of [
      ['hover', HOVER],
      ['zoom', ZOOM],
    ] as const) {
      const { times: frames, changes } = await page.evaluate<Frames>(measured(step));
      if (name === 'zoom' && changes < FRAMES / 2)
        throw new Error(`only ${changes} of ${FRAMES} zooms changed the chart`);
      const { median, min, max } = spread(frames);
      const slow = frames.filter((ms) => ms > 50).length;
      console.log(
        `  ${name.padEnd(6)} ${median.toFixed(1)} ms a frame of script (${min.toFixed(1)} … ${max.toFixed(1)}), ${slow} of ${FRAMES} above 50`,
      );
    }
    await page.close();
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The pointer moves over the equity: `k` of `FRAMES` of its width. In the page. */
const HOVER = `send('mousemove', k / ${FRAMES});`;

/** In turn a stretch is drawn with the pointer, ever more of the middle, and the whole is shown again. In the page. */
const ZOOM = `
  if (k % 2 === 1) send('dblclick', 0.5);
  else {
    send('mousedown', 0.5 - (k + 1) / ${FRAMES * 2.5});
    send('mousemove', 0.5 + (k + 1) / ${FRAMES * 2.5});
    send('mouseup', 0.5 + (k + 1) / ${FRAMES * 2.5});
  }`;

/** From the event to the end of the frame that follows it, until the browser takes the next task. */
function measured(step: string): string {
  return `(async () => {
    const over = document.querySelector('#equity .u-over');
    const { left, top, width } = over.getBoundingClientRect();
    const send = (type, part) =>
      (type === 'mouseup' ? document : over).dispatchEvent(
        new MouseEvent(type, { bubbles: true, clientX: left + part * width, clientY: top + 60, movementX: 1, button: 0 }),
      );
    const turn = () => new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = done;
      port2.postMessage(0);
    });
    const frame = () => new Promise((done) => requestAnimationFrame(() => turn().then(done)));
    const times = [];
    send('mouseenter', 0.1);
    const canvas = document.querySelector('#equity canvas');
    let changes = 0;
    let last = canvas.toDataURL();
    for (let k = 0; k < ${FRAMES}; k++) {
      await frame();
      const start = performance.now();
      ${step}
      // What was put off to the end of the task (the library commits there), then the painting.
      await null;
      const task = performance.now() - start;
      const painted = await new Promise((done) => requestAnimationFrame(() => {
        const from = performance.now();
        turn().then(() => done(performance.now() - from));
      }));
      times.push(task + painted);
      const now = canvas.toDataURL();
      if (now !== last) changes++;
      last = now;
    }
    return { times, changes };
  })()`;
}

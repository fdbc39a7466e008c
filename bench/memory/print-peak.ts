/** Preloaded into a measured process: at its end writes its largest resident size, bytes, to the file BENCH_PEAK_FILE. */
import { writeFileSync } from 'node:fs';

const file = process.env['BENCH_PEAK_FILE'];
if (file !== undefined) {
  process.on('exit', () => writeFileSync(file, String(process.resourceUsage().maxRSS * 1024)));
}

/**
 * The sessions on a disk of their own (tmpfs), which can become full or read-only at any moment. Only root may mount; for
 * anybody else there is no such disk, and the lives that need one are not drawn.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, statfsSync } from 'node:fs';

/** Live trading asks for 1 GB of free space at its start; tmpfs takes memory only for what is written. */
const SIZE_MB = 1_200;

const mounted = new Set<string>();
process.on('exit', () => {
  for (const place of mounted) spawnSync('umount', ['-l', place]);
});

export class Disk {
  readonly #place: string;

  private constructor(place: string) {
    this.#place = place;
    mounted.add(place);
  }

  /** Null when nothing may be mounted here. */
  static mount(place: string): Disk | null {
    mkdirSync(place, { mode: 0o700 });
    if (process.getuid?.() !== 0) return null;
    const options = `size=${SIZE_MB}m,mode=700`;
    return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place]).status === 0 ? new Disk(place) : null;
  }

  /** Shrinks to what is used and a little more: the next pages that are written find no room. */
  fill(morePages: number): void {
    for (let attempt = 0; ; attempt++) {
      const { blocks, bfree, bsize } = statfsSync(this.#place);
      const kilobytes = Math.ceil(((blocks - bfree + morePages) * bsize) / 1024);
      try {
        return this.#remount(`size=${kilobytes}k`);
      } catch (thrown) {
        // It has grown since it was measured; a disk cannot shrink below what is used.
        if (attempt === 5) throw thrown;
      }
    }
  }

  readOnly(): void {
    this.#remount('ro');
  }

  mend(): void {
    this.#remount(`rw,size=${SIZE_MB}m`);
  }

  unmount(): void {
    mounted.delete(this.#place);
    spawnSync('umount', ['-l', this.#place]);
  }

  #remount(options: string): void {
    const { status, stderr } = spawnSync('mount', ['-o', `remount,${options}`, this.#place]);
    if (status !== 0) throw new Error(`cannot remount ${this.#place} with ${options}: ${stderr.toString()}`);
  }
}

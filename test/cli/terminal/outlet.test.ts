/** The ways out of the process with a reader that stops and goes on: what is kept, what is dropped, and that it is said. */
import { Writable } from 'node:stream';
import { expect, it } from 'vitest';
import { Outlet } from '../../../src/cli/terminal/outlet.ts';

/** Takes one piece for each `read`. */
class Reader extends Writable {
  readonly isTTY: boolean;
  readonly fd = 1;
  readonly _handle: object | undefined;
  got = '';
  #next: (() => void) | undefined;

  constructor(handle?: object) {
    super({ decodeStrings: false });
    this.isTTY = handle !== undefined;
    this._handle = handle;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.#next = () => {
      this.got += chunk;
      done();
    };
  }

  async readAll(): Promise<void> {
    while (this.writableLength > 0 || this.#next !== undefined) {
      const next = this.#next;
      this.#next = undefined;
      next?.();
      await new Promise(setImmediate);
    }
  }
}

const LINE = `${'x'.repeat(999)}\n`;

it('keeps a bounded backlog for a reader that stops, and says how many lines are missing when it goes on', async () => {
  const reader = new Reader();
  const outlet = new Outlet(reader);
  expect(outlet.neverWait()).toBe(true);
  for (let count = 0; count < 1000; count++) outlet.write(LINE);
  expect(reader.writableLength).toBeLessThanOrEqual(65_536);
  await reader.readAll();
  expect(reader.got).toBe(`${LINE.repeat(65)}(935 lines are missing here: the output was not read for a while)\n`);
  outlet.write('on\n');
  await reader.readAll();
  expect(reader.got.endsWith('while)\non\n')).toBe(true);
});

it('takes one text of any length from a command that prints nothing else', async () => {
  const reader = new Reader();
  const outlet = new Outlet(reader);
  outlet.neverWait();
  outlet.write(LINE.repeat(500));
  await reader.readAll();
  expect(reader.got).toBe(LINE.repeat(500));
});

it('drops nothing of a command that may wait, and knows when all has left', async () => {
  const reader = new Reader();
  const outlet = new Outlet(reader);
  for (let count = 0; count < 1000; count++) outlet.write(LINE);
  let flushed = false;
  const ended = outlet.flushed().then(() => (flushed = true));
  await new Promise(setImmediate);
  expect(flushed).toBe(false);
  await reader.readAll();
  await ended;
  expect(reader.got).toBe(LINE.repeat(1000));
});

it('sets the terminal alone that it has a file of its own for', () => {
  const set: boolean[] = [];
  const setBlocking = (on: boolean): number => set.push(on);
  expect(new Outlet(new Reader({ fd: 1, setBlocking })).neverWait()).toBe(false);
  expect(set).toEqual([]);
  expect(new Outlet(new Reader({ fd: 21, setBlocking })).neverWait()).toBe(true);
  expect(set).toEqual([false]);
});

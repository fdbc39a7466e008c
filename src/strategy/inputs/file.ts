/**
 * `file(name)` of the public API. The session publishes its reader (also of `model(name)`) on `globalThis`, since a test runner may hold a second
 * copy of these modules.
 */
import { dirname, resolve } from 'node:path';
import { captureStack, framesOf } from '../loading/location.ts';
import type { InputFile } from './input-file.ts';
import type { Model } from '../models/model-handle.ts';
import { InputLog } from './input-log.ts';

/** `folder`: of the calling file, asked for a strategy that no session has loaded. */
export interface InputReader {
  file(name: string, folder: () => string): InputFile;
  model(name: string, folder: () => string): Model;
}

const READER = Symbol.for('tidewire.inputs');
const OWN_FOLDER = new URL('../', import.meta.url).pathname;

export function publishReader(reader: InputReader): void {
  Reflect.set(globalThis, READER, reader);
}

export function publishedReader(): InputReader | undefined {
  return Reflect.get(globalThis, READER) as InputReader | undefined;
}

export function callerFolder(): string {
  const caller = framesOf(captureStack()).find((frame) => !frame.file.startsWith(OWN_FOLDER));
  return caller === undefined ? resolve() : dirname(caller.file);
}

/**
 * An input file of the strategy: read once, its content in the run hash. Call it at the head of the file or in `setup`;
 * docs/strategy.md, "Input files".
 *
 * @param name a path from the folder of the strategy's file
 * @throws strategy_file_unreadable, strategy_file_late
 */
export function file(name: string): InputFile {
  const reader = publishedReader();
  return reader === undefined ? new InputLog(callerFolder()).read(name, true) : reader.file(name, callerFolder);
}

/** The first data file by central directory (PKWARE APPNOTE 4.3). Zip64 is refused. */
import type { FileHandle } from 'node:fs/promises';

const END_BYTES = 22;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const COMMENT_BYTES_MAX = 65_535;

export interface ZipEntry {
  readonly name: string;
  readonly offset: number;
  /** As stored. */
  readonly bytes: number;
  readonly stored: boolean;
}

/** Or why there is none. */
export async function findZipEntry(file: FileHandle): Promise<ZipEntry | string> {
  const size = (await file.stat()).size;
  const tailBytes = Math.min(size, END_BYTES + COMMENT_BYTES_MAX);
  const tail = Buffer.alloc(tailBytes);
  await file.read(tail, 0, tailBytes, size - tailBytes);
  let end = tailBytes - END_BYTES;
  while (end >= 0 && tail.readUInt32LE(end) !== END_SIGNATURE) end--;
  if (end < 0) return 'the zip archive has no directory at its end: it is truncated';
  const directoryBytes = tail.readUInt32LE(end + 12);
  const directoryAt = tail.readUInt32LE(end + 16);
  if (directoryAt === 0xffffffff || directoryAt + directoryBytes > size) return 'the zip archive is zip64 or broken';
  const directory = Buffer.alloc(directoryBytes);
  await file.read(directory, 0, directoryBytes, directoryAt);
  return firstFile(file, directory);
}

async function firstFile(file: FileHandle, directory: Buffer): Promise<ZipEntry | string> {
  let at = 0;
  while (at + 46 <= directory.length && directory.readUInt32LE(at) === ENTRY_SIGNATURE) {
    const nameBytes = directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + 46, at + 46 + nameBytes);
    const next = at + 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
    const method = directory.readUInt16LE(at + 10);
    if (!name.endsWith('/') && !name.startsWith('__MACOSX')) {
      if (method !== 0 && method !== 8) return `${name}: compression method ${method} is not known`;
      const local = directory.readUInt32LE(at + 42);
      const header = Buffer.alloc(30);
      await file.read(header, 0, 30, local);
      const offset = local + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
      return { name, offset, bytes: directory.readUInt32LE(at + 20), stored: method === 0 };
    }
    at = next;
  }
  return 'the zip archive holds no file';
}

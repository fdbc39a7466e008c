/**
 * A collector file of any length: the frames of the real file again and again, times and update ids shifted on, so that
 * sequence rules hold within each pass.
 */
import { createReadStream, createWriteStream } from 'node:fs';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';

const PASS_MS = 400_000;
const PASS_IDS = 100_000_000;
const FIELDS = /"([ETUut]|pu|lastUpdateId)":(\d+)/g;

function shifted(line: string, pass: number): string {
  const space = line.indexOf(' ');
  const ns = BigInt(line.slice(0, space)) + BigInt(pass * PASS_MS) * 1_000_000n;
  const frame = line.slice(space + 1).replace(FIELDS, (_, name: string, value: string) => {
    const by = name === 'E' || name === 'T' ? PASS_MS : PASS_IDS;
    return `"${name}":${Number(value) + pass * by}`;
  });
  return `${ns} ${frame}\n`;
}

/** Writes at least `bytes` bytes, whole passes; answers how many bytes there are. */
export async function writeLongData(source: string, path: string, bytes: number): Promise<number> {
  const out = createWriteStream(path);
  let written = 0;
  for (let pass = 0; written < bytes; pass++) {
    for await (const line of createInterface({ input: createReadStream(source).pipe(createGunzip()) })) {
      const text = shifted(line, pass);
      written += text.length;
      if (!out.write(text)) await once(out, 'drain');
    }
  }
  out.end();
  await once(out, 'finish');
  return written;
}

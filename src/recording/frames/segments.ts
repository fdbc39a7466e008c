/** Segment file names. Existing segments are never appended to. */
import { readdirSync } from 'node:fs';

const SEGMENT = /^frames-(\d{6})\.twf$/;

export function segmentName(number: number): string {
  return `frames-${String(number).padStart(6, '0')}.twf`;
}

export function isSegment(name: string): boolean {
  return SEGMENT.test(name);
}

export function listSegments(dir: string): string[] {
  return readdirSync(dir).filter(isSegment).sort();
}

export function nextSegmentNumber(dir: string): number {
  const last = listSegments(dir).at(-1);
  return last === undefined ? 1 : Number(SEGMENT.exec(last)?.[1]) + 1;
}

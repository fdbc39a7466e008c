/**
 * Waiting for conditions instead of sleeping.
 */

/** Resolves when `holds` is true; looks again after every turn of the event loop; fails after `withinMs`. */
export async function until(holds: () => boolean, what: string, withinMs = 8000): Promise<void> {
  const end = Date.now() + withinMs;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

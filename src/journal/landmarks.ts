/** Kinds that are indexed and stay when rows are archived. */
export const LANDMARKS = `'session', 'kill', 'restored', 'gate', 'alarm'`;

export const LANDMARK_KINDS: ReadonlySet<string> = new Set(LANDMARKS.replaceAll("'", '').split(', '));

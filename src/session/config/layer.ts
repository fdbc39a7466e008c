/** Where a value came from; an earlier one wins. */
export type ConfigLayer = 'flag' | 'environment' | 'file' | 'default';
